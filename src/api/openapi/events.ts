import { catalog, eventTypes } from "../../contract/events.ts";
import { eventOf, schemaNameOf } from "../../contract/event-envelope.ts";
import { refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";
import { schemaOf } from "../../outbound/webhooks/event-descriptions.ts";

/** The union of all events: the `type` of an event decides its schema. */
export const boardEvent: Schema = {
  anyOf: eventTypes.map((type) => refTo(schemaNameOf(type))),
};

/** The schemas of all events as feed and stream show them. */
export function describeEvents(): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const type of eventTypes) {
    const { schema, shared } = schemaOf(eventOf(type));
    const about = `${catalog[type].about}.`;
    Object.assign(schemas, tidyAll(shared), {
      [schemaNameOf(type)]: { ...tidy(schema), description: about },
    });
  }
  return schemas;
}
