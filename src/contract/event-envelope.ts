import { z } from "zod";
import { eventTypes } from "./events.ts";
import { Timestamp } from "./vocabulary/fields.ts";
import { Activity } from "./resources/activity.ts";

/** The type of an event. */
export const EventTypeName = z.enum(eventTypes, "Must be an event type").meta({ id: "EventType" });

/** An event of the feed and the stream. */
export const Event = z
  .object({
    id: z.string(),
    type: EventTypeName,
    timestamp: Timestamp,
    workspacePublicId: z.string(),
    boardPublicId: z.string().optional(),
    actor: Activity.shape.actor,
    mutationId: z
      .string()
      .meta({ description: "The `Idempotency-Key` of the call, for the caller who made it." })
      .optional(),
    data: z.record(z.string(), z.unknown()),
    changes: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Event" });

/** The public form of an event. */
export type EventView = z.infer<typeof Event>;

/** The first item of a stream, with its start position. */
const StreamReady = z
  .object({ type: z.literal("ready"), cursor: z.string() })
  .meta({ id: "StreamReady" });

/** The client was too slow. The following events are read from the log. */
const StreamResync = z
  .object({ type: z.literal("resync"), cursor: z.string() })
  .meta({ id: "StreamResync" });

/** An item of a stream. */
export const StreamItem = z.union([Event, StreamReady, StreamResync]).meta({ id: "StreamItem" });

/** An item of a stream. */
export type StreamItem = z.infer<typeof StreamItem>;
