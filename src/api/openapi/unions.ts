import { schemaName, type Schema } from "../../kernel/schemas/schema.ts";

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Rewrites unions so that generators can compile them.
 *
 * Members with a constant `type` become one flat union: generators let a union inside a union
 * inherit fields that it does not have. Members with a constant boolean become one object:
 * languages have no type for `false` alone.
 */
export const describeUnions = (schemas: Schemas): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeUnion(schema, schemas)]),
  );

function describeUnion(schema: Schema, schemas: Schemas): Schema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) return schema;
  const members = anyOf.flatMap((member) => membersOf(member, schemas));
  const objects = members.map((member) => resolve(member, schemas));
  if (objects.every((object) => typeIn(object) !== undefined)) {
    return { ...rest, ...unionByType(members, schemas) };
  }
  return objects.some(hasBooleanConstant) ? { ...rest, ...mergeObjects(objects) } : schema;
}

/** The members of a union, and those of the unions inside it. */
function membersOf(schema: Schema, schemas: Schemas): Schema[] {
  const { anyOf, oneOf } = resolve(schema, schemas);
  return (anyOf ?? oneOf)?.flatMap((member) => membersOf(member, schemas)) ?? [schema];
}

const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schemaName(schema.$ref)] ?? {});

/** The only value of the `type` of an object. */
function typeIn({ properties }: Schema): string | undefined {
  const value = properties?.["type"]?.const;
  return typeof value === "string" ? value : undefined;
}

/** A union in which `type` decides the schema, when each type has one schema. */
function unionByType(members: readonly Schema[], schemas: Schemas): Schema {
  const mapping = new Map<string, string>();
  for (const member of members) {
    const type = typeIn(resolve(member, schemas)) ?? "";
    if (member.$ref !== undefined && !mapping.has(type)) mapping.set(type, member.$ref);
  }
  // If a type has two schemas, a value may match both.
  if (mapping.size < members.length) return { anyOf: [...members] };
  const discriminator = { propertyName: "type", mapping: Object.fromEntries(mapping) };
  return { oneOf: [...members], discriminator };
}

const hasBooleanConstant = ({ properties = {} }: Schema) =>
  Object.values(properties).some((property) => typeof property.const === "boolean");

/** Merges objects into one; it requires the fields that all of them require. */
function mergeObjects(objects: readonly Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const object of objects) {
    for (const [field, { const: value, ...schema }] of Object.entries(object.properties ?? {})) {
      properties[field] ??= typeof value === "boolean" ? schema : { ...schema, const: value };
    }
  }
  const required = Object.keys(properties).filter((field) =>
    objects.every((object) => object.required?.includes(field)),
  );
  return { type: "object", properties, required };
}
