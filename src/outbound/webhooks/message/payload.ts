import { z } from "zod";
import { catalog, type EventType } from "../../../contract/events.ts";
import { Activity } from "../../../contract/resources/activity.ts";
import { iso, Timestamp } from "../../../contract/vocabulary/fields.ts";

const Actor = Activity.shape.actor.meta({ id: "Actor" });
const Change = z.object({ from: z.unknown(), to: z.unknown() });

/** The fields of `data` that every event has. */
const commonFields = {
  workspacePublicId: z.string(),
  boardPublicId: z.string().nullable().meta({ description: "The board of the event." }),
  actor: Actor,
  changes: z
    .record(z.string(), Change)
    .optional()
    .meta({ description: "The changed fields of the resource, with the old and new value." }),
  shortened: z
    .array(z.string())
    .optional()
    .meta({ description: "The paths of texts and lists that were truncated." }),
};

/** The body of a delivery: `data` holds the resource as it is after the change. */
export const payloadOf = (type: EventType) =>
  z.object({
    type: z.literal(type),
    timestamp: Timestamp.meta({ description: "When the event happened." }),
    data: z.object({ ...catalog[type].data.shape, ...commonFields }),
  });

/** The body of a `webhook.test` event. */
export const TestPayload = z.object({
  type: z.literal("webhook.test"),
  timestamp: Timestamp,
  data: z.object({
    webhook: z.object({ publicId: z.string(), name: z.string() }),
    workspace: z.object({ publicId: z.string(), name: z.string() }),
  }),
});

/** The columns of an event that make the body of its deliveries. */
export type EventPayload = {
  type: string;
  createdAt: Date;
  data: Record<string, unknown>;
  changes: Record<string, unknown> | null;
  workspacePublicId: string;
  boardPublicId: string | null;
  actorType: string;
  actorPublicId: string | null;
  actorName: string;
};

/** The JSON that is signed and sent, the same in every attempt. */
export function bodyOf(event: EventPayload): string {
  const { type, createdAt, data, changes, workspacePublicId, boardPublicId } = event;
  return JSON.stringify({
    type,
    timestamp: iso(createdAt),
    data: {
      ...data,
      workspacePublicId,
      boardPublicId,
      actor: { type: event.actorType, publicId: event.actorPublicId, name: event.actorName },
      ...(changes === null ? {} : { changes }),
    },
  });
}
