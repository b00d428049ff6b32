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

/**
 * The schemas, in which each of the alternatives of a field has the fields of the others.
 *
 * `data.to?.index` compiles where one alternative has no `to`.
 */
function withAbsentFields(schemas) {
  const all = { ...schemas };
  const unions = Object.values(schemas)
    .flatMap(({ properties = {} }) => Object.values(properties))
    .flatMap(({ anyOf = [] }) => {
      const names = anyOf.map(({ $ref }) => $ref?.split("/").at(-1));
      return names.length > 0 && names.every((name) => name in schemas) ? [names] : [];
    });
  for (const names of unions) {
    const fields = names.flatMap((name) => Object.keys(schemas[name].properties));
    for (const name of names) {
      const { properties, ...rest } = all[name];
      const missing = fields.filter((field) => !(field in properties));
      const absent = missing.map((field) => [field, { const: "absent" }]);
      all[name] = { ...rest, properties: { ...properties, ...Object.fromEntries(absent) } };
    }
  }
  return all;
}

/** The types of all events: `EventTypes.CardMovedEvent` and the schemas that they refer to. */
export async function eventTypes({ openapi: version, info, components }) {
  const found = schemasIn({ $ref: "#/components/schemas/BoardEvent" }, components.schemas);
  const described = Object.entries(found).map(([name, schema]) => [
    name,
    describeFields(schema, found),
  ]);
  const schemas = withAbsentFields(Object.fromEntries(described));
  const part = { openapi: version, info, paths: {}, components: { schemas } };
  const text = astToString(await openapiTypes(part));
  const [, fields] = /\n {4}schemas: \{\n([^]*?)\n {4}\};/.exec(text) ?? [];
  if (fields === undefined) throw new Error("The schemas of events have another form.");
  const named = fields
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(/^ {8}(\w+): /gm, "        export type $1 = ")
    .replaceAll(/^ {4}/gm, "")
    .replaceAll("@description ", "")
    .replaceAll(
      / *\/\*\* @constant \*\/\n( *)(\w+\?: )"absent"/g,
      "$1/** Undefined: other alternatives have it. */\n$1$2undefined",
    );
  return `declare namespace EventTypes {\n${named}\n}`;
}
