// The types of events for TypeScript clients, from the schemas of the document.
import openapiTypes, { astToString } from "openapi-typescript";

/** The schemas that a schema refers to, by name. */
function schemasIn(value, schemas, found = {}) {
  if (typeof value !== "object" || value === null) return found;
  const name = value.$ref?.split("/").at(-1);
  if (name !== undefined && !(name in found)) {
    found[name] = schemas[name];
    schemasIn(found[name], schemas, found);
  }
  for (const inner of Object.values(value)) schemasIn(inner, schemas, found);
  return found;
}

/** A schema whose fields have the texts of the schemas that they refer to. */
function describeFields(schema, schemas) {
  const { properties, ...rest } = schema;
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description } = schemas[field.$ref?.split("/").at(-1)] ?? {};
    return [name, { description, ...describeFields(field, schemas) }];
  });
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** The types of all events: `EventTypes.CardMovedEvent` and the schemas that they refer to. */
export async function eventTypes({ openapi: version, info, components }) {
  const found = schemasIn({ $ref: "#/components/schemas/BoardEvent" }, components.schemas);
  const described = Object.entries(found).map(([name, schema]) => [
    name,
    describeFields(schema, found),
  ]);
  const schemas = Object.fromEntries(described);
  const part = { openapi: version, info, paths: {}, components: { schemas } };
  const text = astToString(await openapiTypes(part));
  const [, fields] = /\n {4}schemas: \{\n([^]*?)\n {4}\};/.exec(text) ?? [];
  if (fields === undefined) throw new Error("The schemas of events have another form.");
  const named = fields
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(/^ {8}(\w+): /gm, "        export type $1 = ")
    .replaceAll(/^ {4}/gm, "")
    .replaceAll("@description ", "");
  return `declare namespace EventTypes {\n${named}\n}`;
}
