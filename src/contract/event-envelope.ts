import { z } from "zod";
import { idOf } from "./vocabulary/ids.ts";
import { EventTime, FeedCursor } from "./fields/shared.ts";
import { catalog, eventTypes, type EventType } from "./events.ts";
import { Activity } from "./resources/activity.ts";

/** The schema name of an event: `card.created` is `CardCreatedEvent`. */
export const schemaNameOf = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The type of an event. */
export const EventTypeName = z.enum(eventTypes, "Must be an event type").meta({
  id: "EventType",
  description: "The type of an event: a resource and what happened to it.",
});

/** The fields of `data` that a reader may lack the permission to view, by type or kind of event. */
const redactable = {
  "member.joined": ["member"],
  "member.updated": ["member"],
  "member.removed": ["member"],
  "list.sorted": ["board", "cardPublicIds"],
  // From or to a board that the reader cannot see.
  "list.moved": ["board", "from", "to"],
  "checklist.moved": ["list", "board", "from", "to"],
  list: ["board"],
  card: ["list", "board", "label"],
  checklist: ["list", "board"],
  checklist_item: ["list", "board"],
  comment: ["comment", "list", "board"],
  attachment: ["list", "board"],
  relation: ["list", "board"],
} as const satisfies Record<string, readonly string[]>;
const redactableIn: Readonly<Record<string, readonly string[] | undefined>> = redactable;

/** The fields of an event's data that a reader may lack the permission to view. */
export const redactableFields = (type: EventType): string[] =>
  (redactableIn[type] ?? redactableIn[type.split(".", 1).join("")] ?? []).filter(
    (field) => field in catalog[type].data.shape,
  );

const movedFields = catalog["card.moved"].data.shape;
const shortened = z
  .array(z.string())
  .optional()
  .meta({ description: "The paths of texts and lists that were truncated." });

/** A card that stays visible: `from` is absent when its old board is not. */
const Moved = z
  .object({
    ...movedFields,
    list: movedFields.list.optional(),
    board: movedFields.board.optional(),
    from: movedFields.from.meta({ description: "Where it was before the change." }).optional(),
    shortened,
  })
  .meta({ id: "CardMove", description: "A card that moved, with its old and its new list." });
/** A card that moved to a board that the reader cannot see. */
const Departed = z
  .object({
    card: z.object({ publicId: z.string() }).meta({ description: "The id of the card, no more." }),
    from: movedFields.from,
    shortened,
  })
  .meta({ id: "CardDeparture" });

/** The data of an event, as readers of feed and stream get it. */
export function readerData(type: EventType): z.ZodType {
  if (type === "card.moved") return z.union([Moved, Departed]);
  const { memberPublicIds: _, ...shape }: Record<string, z.ZodType> = catalog[type].data.shape;
  const hidden = redactableFields(type).map((field) => [field, shape[field]?.optional()]);
  return z.object({ ...shape, ...Object.fromEntries(hidden), shortened });
}

type Move = z.output<typeof Moved>;
type Departure = z.output<typeof Departed>;
/** Declares the fields that a departure lacks as undefined, so that `data.to?.index` compiles. */
type Absent = { [Field in Exclude<keyof Move, keyof Departure>]?: undefined };

type Redactable = typeof redactable;
type Kind<Type> = Type extends `${infer Name}.${string}` ? Name : never;
type HiddenField<Type> = Type extends keyof Redactable
  ? Redactable[Type][number]
  : Kind<Type> extends keyof Redactable
    ? Redactable[Kind<Type>][number]
    : never;
type Emitted<Type extends EventType> = Omit<
  z.output<(typeof catalog)[Type]["data"]>,
  "memberPublicIds"
>;
type Shortened = { shortened?: string[] | undefined };
type ReaderData<Type extends EventType> = Type extends "card.moved"
  ? Move | (Departure & Absent)
  : Omit<Emitted<Type>, HiddenField<Type>> &
      Partial<Pick<Emitted<Type>, HiddenField<Type> & keyof Emitted<Type>>> &
      Shortened;

/** Who caused an event. */
export const Actor = Activity.shape.actor.meta({
  id: "Actor",
  description: "Who caused an event.",
});

/** What every event has in addition to its type and data. */
const common = {
  id: z
    .string()
    .meta({ description: "The id of the event, as in `webhook-id`.", examples: ["e2v8e6n4t1s7"] }),
  timestamp: EventTime,
  order: z
    .string()
    .meta({
      examples: ["2a71k"],
      description: "The sortable part of the event's cursor, in the feed and in streams.",
    })
    .optional(),
  workspacePublicId: idOf("workspace"),
  boardPublicId: idOf("board").optional(),
  actor: Actor,
  mutationId: z
    .string()
    .meta({
      examples: ["7d0f3f5e-3c1b-4c3e-9d8a-2f6b1a5c4e70"],
      description: "The `Idempotency-Key` of the call. Only the caller who made it sees it.",
    })
    .optional(),
  changes: z
    .record(z.string(), z.unknown())
    .meta({ description: "The changed fields, each with its old and new value." })
    .optional(),
};
const Common = z.object(common);

/** The schema of the events of a type, for feed, stream and webhooks. */
export const eventOf = (type: EventType, data: z.ZodType = readerData(type)) =>
  z.object({
    ...common,
    type: z.literal(type).meta({ description: "The type of the event, such as `card.created`." }),
    data: data.meta({
      description: "The resource after the change, under its own name, and its parents.",
    }),
  });

/** An event of feed, stream and webhooks: `type` decides what `data` is. */
export type BoardEvent = {
  [Type in EventType]: z.infer<typeof Common> & { type: Type; data: ReaderData<Type> };
}[EventType];

const Envelope = z
  .object({ ...common, type: EventTypeName, data: z.record(z.string(), z.unknown()) })
  .meta({
    id: "BoardEvent",
    description: "An event of feed, stream and webhooks. `type` decides what `data` has.",
  });

/** The public form of an event whose data is not typed. */
export type EventEnvelope = z.infer<typeof Envelope>;

/**
 * An event of the feed and the stream.
 *
 * It does not validate the data: what was emitted is valid, and events of older versions have
 * fewer fields. The document describes it as the union of all types.
 */
export const Event = Envelope as unknown as z.ZodType<BoardEvent, EventEnvelope>;

/** The first item of a stream, with its start position. */
const StreamReady = z
  .object({
    type: z.literal("ready").meta({ description: "The stream starts at `cursor`." }),
    cursor: FeedCursor,
  })
  .meta({ id: "StreamReady", description: "The first item of a stream, with its start position." });

/** The client was too slow. The following events are read from the log. */
const StreamResync = z
  .object({
    type: z
      .literal("resync")
      .meta({ description: "The client was too slow. The events that it missed follow." }),
    cursor: FeedCursor,
  })
  .meta({
    id: "StreamResync",
    description: "The client was too slow. The events that it missed follow.",
  });

/** An item of a stream. */
export const StreamItem = z.union([Event, StreamReady, StreamResync]).meta({
  id: "StreamItem",
  description: "An item of a stream: an event, or a message about the stream.",
});

/** An item of a stream. */
export type StreamItem = z.infer<typeof StreamItem>;
