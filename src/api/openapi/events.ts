import { catalog, eventTypes } from "../../contract/events.ts";
import { eventOf } from "../../contract/event-envelope.ts";
import { refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";
import { schemaOf } from "../../outbound/webhooks/event-descriptions.ts";

/** The schema name of an event: `card.created` is `CardCreatedEvent`. */
export const nameOfType = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The union of all events: the `type` of an event decides its schema. */
export const boardEvent: Schema = {
  oneOf: eventTypes.map((type) => refTo(nameOfType(type))),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(eventTypes.map((type) => [type, refTo(nameOfType(type)).$ref])),
  },
};

/** The schemas of all events as feed and stream show them. */
export function describeEvents(): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const type of eventTypes) {
    const { schema, shared } = schemaOf(eventOf(type));
    const about = `${catalog[type].about}.`;
    Object.assign(schemas, tidyAll(shared), {
      [nameOfType(type)]: { ...tidy(schema), description: about },
    });
  }
  return schemas;
}
