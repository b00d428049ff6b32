import { z } from "zod";
import { EventTime, WebhookName, WorkspaceName } from "../../../contract/fields/shared.ts";
import { idOf } from "../../../contract/vocabulary/ids.ts";
import { catalog, type EventType } from "../../../contract/events.ts";
import { Actor, eventOf } from "../../../contract/event-envelope.ts";
import { iso } from "../../../contract/vocabulary/texts.ts";

const Change = z.object({ from: z.unknown(), to: z.unknown() });

const repeated = {
  workspacePublicId: idOf("workspace"),
  boardPublicId: z
    .string()
    .nullable()
    .meta({ examples: ["p5d2h8s4t6b1"], description: "The board of the event." }),
  actor: Actor,
  changes: z
    .record(z.string(), Change)
    .optional()
    .meta({ description: "The changed fields of the resource, with the old and new value." }),
};

const shortened = z
  .array(z.string())
  .optional()
  .meta({ description: "The paths of texts and lists that were truncated." });

/** The body of a delivery: an event with all its data. */
export const payloadOf = (type: EventType) =>
  eventOf(type, z.object({ ...catalog[type].data.shape, shortened, ...repeated }));

/** The body of a `webhook.test` event. */
export const TestPayload = z.object({
  type: z
    .literal("webhook.test")
    .meta({ description: "The type of the event, such as `card.created`." }),
  timestamp: EventTime,
  data: z
    .object({
      webhook: z
        .object({ publicId: idOf("webhook"), name: WebhookName })
        .meta({ description: "The webhook." }),
      workspace: z
        .object({ publicId: idOf("workspace"), name: WorkspaceName })
        .meta({ description: "The workspace." }),
    })
    .meta({ description: "The resource after the change, under its own name, and its parents." }),
});

/** The columns of an event that make the body of its deliveries. */
export type EventPayload = {
  eventPublicId: string;
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
  const actor = { type: event.actorType, publicId: event.actorPublicId, name: event.actorName };
  const optionalChanges = changes === null ? {} : { changes };
  return JSON.stringify({
    id: event.eventPublicId,
    type,
    timestamp: iso(createdAt),
    workspacePublicId,
    ...(boardPublicId === null ? {} : { boardPublicId }),
    actor,
    ...optionalChanges,
    data: { ...data, workspacePublicId, boardPublicId, actor, ...optionalChanges },
  });
}
