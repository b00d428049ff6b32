import { catalog, eventTypes, isPersonal, type EventType } from "../../contract/events.ts";
import { eventOf, schemaNameOf } from "../../contract/event-envelope.ts";
import { refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";
import { schemaOf } from "../../outbound/webhooks/event-descriptions.ts";

const refsTo = (types: readonly EventType[]) => types.map((type) => refTo(schemaNameOf(type)));

/** The union of all events: the `type` of an event decides its schema. */
export const boardEvent: Schema = {
  anyOf: refsTo(eventTypes),
  description: "An event of feed, stream and webhooks. `type` decides what `data` has.",
};

/** The stream of a user has its own access events, and none of the logs of workspaces. */
const inUserStream = refsTo(eventTypes.filter((type) => !isPersonal(type)));

/** The schemas of all events as feed and stream show them. */
export function eventSchemas(): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const type of eventTypes) {
    const { schema, shared } = schemaOf(eventOf(type));
    const about = `${catalog[type].about}.`;
    Object.assign(schemas, tidyAll(shared), {
      [schemaNameOf(type)]: { ...tidy(schema), description: about },
    });
  }
  return withOneMove(schemas);
}

/**
 * Describes a departure as a move that lacks fields: a union without a `type` has no form in many
 * languages.
 */
function withOneMove(all: Record<string, Schema>) {
  const { CardDeparture: _, ...schemas } = all;
  const { CardMove: move = {}, CardMovedEvent: event = {}, CardState: state = {} } = schemas;
  const data = refTo("CardMove");
  return {
    ...schemas,
    MovedCard: { ...state, required: ["publicId"], description: moved },
    CardMove: {
      ...move,
      required: ["card"],
      properties: { ...move.properties, card: refTo("MovedCard") },
    },
    CardMovedEvent: { ...event, properties: { ...event.properties, data } },
  };
}

const moved =
  "The card. When it moved to a board that the reader cannot see, it has only its `publicId`, and " +
  "`to` is absent.";

const heartbeat: Schema = {
  type: "object",
  properties: {
    type: {
      type: "string",
      const: "heartbeat",
      description: "The connection is alive.",
    },
    cursor: { type: "string", description: "The current position of the stream." },
  },
  required: ["type", "cursor"],
  description: "Sent while there are no events, with the current position.",
};

/** Adds heartbeats to the items of streams: they are server-sent events, never sent over tRPC. */
export function withHeartbeats(schemas: Record<string, Schema>): Record<string, Schema> {
  const streams = ["StreamItem", "UserStreamItem"].map((name) => {
    const { anyOf = [], ...rest } = schemas[name] ?? {};
    const items = anyOf.flatMap((item) =>
      name === "UserStreamItem" && item.$ref === refTo("BoardEvent").$ref ? inUserStream : item,
    );
    return [name, { ...rest, anyOf: [...items, refTo("StreamHeartbeat")] }];
  });
  return { ...schemas, StreamHeartbeat: heartbeat, ...Object.fromEntries(streams) };
}
