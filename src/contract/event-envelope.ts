import { z } from "zod";
import { eventTypes } from "./events.ts";
import { Timestamp } from "./vocabulary/fields.ts";
import { Activity } from "./resources/activity.ts";

/** The type of an event. */
export const EventTypeName = z.enum(eventTypes).meta({ id: "EventType" });

/** An event, as the feed and the stream tell it. */
export const Event = z
  .object({
    id: z.string(),
    type: EventTypeName,
    timestamp: Timestamp,
    workspacePublicId: z.string(),
    boardPublicId: z.string().optional(),
    actor: Activity.shape.actor,
    data: z.record(z.string(), z.unknown()),
    changes: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Event" });

/** An event in its public form. */
export type EventView = z.infer<typeof Event>;

/** Tells that a stream has begun, and where. */
const StreamReady = z
  .object({ type: z.literal("ready"), cursor: z.string() })
  .meta({ id: "StreamReady" });

/** Tells that a client was too slow for what happens: what follows is read from the log again. */
const StreamResync = z
  .object({ type: z.literal("resync"), cursor: z.string() })
  .meta({ id: "StreamResync" });

/** What a stream consists of. */
export const StreamItem = z.union([Event, StreamReady, StreamResync]).meta({ id: "StreamItem" });

/** One thing that a stream tells. */
export type StreamItem = z.infer<typeof StreamItem>;
