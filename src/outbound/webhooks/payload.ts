import { z } from "zod";
import { Activity } from "../../contract/resources/activity.ts";
import { catalog, type EventType } from "../../contract/events.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";

const Actor = Activity.shape.actor.meta({ id: "Actor" });
const Change = z.object({ from: z.unknown(), to: z.unknown() });

/** What the `data` of a delivery holds beside what its event tells. */
const around = {
  workspacePublicId: z.string(),
  boardPublicId: z.string().nullable().meta({ description: "The board that it happened on." }),
  actor: Actor,
  changes: z
    .record(z.string(), Change)
    .optional()
    .meta({ description: "What of the main thing became what, in a change." }),
  shortened: z
    .array(z.string())
    .optional()
    .meta({ description: "The paths of texts and lists that were too long to be told whole." }),
};

/** The body of a delivery: `data` holds the thing under its own name, as it is after the change. */
export const payloadOf = (type: EventType) =>
  z.object({
    type: z.literal(type),
    timestamp: Timestamp.meta({ description: "When it happened." }),
    data: z.object({ ...catalog[type].data.shape, ...around }),
  });

/** The body of what `webhook.test` sends. */
export const TestPayload = z.object({
  type: z.literal("webhook.test"),
  timestamp: Timestamp,
  data: z.object({
    webhook: z.object({ publicId: z.string(), name: z.string() }),
    workspace: z.object({ publicId: z.string(), name: z.string() }),
  }),
});

/** The row of an event, as a delivery tells it. */
export type Told = {
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

/** The JSON that is signed and sent, the same at every attempt. */
export function bodyOf(event: Told): string {
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
