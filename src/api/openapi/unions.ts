import { schemaName, type Schema } from "../../kernel/schemas/schema.ts";

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Describes unions as generators compile them.
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
  const members = anyOf.flatMap((one) => membersOf(one, schemas));
  const objects = members.map((one) => resolve(one, schemas));
  if (objects.every((one) => typeIn(one) !== undefined)) {
    return { ...rest, ...unionByType(members, schemas) };
  }
  return objects.some(hasBooleanConstant) ? { ...rest, ...oneObject(objects) } : schema;
}

/** The members of a union, and those of the unions inside it. */
function membersOf(schema: Schema, schemas: Schemas): Schema[] {
  const { anyOf, oneOf } = resolve(schema, schemas);
  return (anyOf ?? oneOf)?.flatMap((one) => membersOf(one, schemas)) ?? [schema];
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
  for (const one of members) {
    const type = typeIn(resolve(one, schemas)) ?? "";
    if (one.$ref !== undefined && !mapping.has(type)) mapping.set(type, one.$ref);
  }
  // A value of a type that has two schemas may be valid by both.
  if (mapping.size < members.length) return { anyOf: [...members] };
  const discriminator = { propertyName: "type", mapping: Object.fromEntries(mapping) };
  return { oneOf: [...members], discriminator };
}

const hasBooleanConstant = ({ properties = {} }: Schema) =>
  Object.values(properties).some((one) => typeof one.const === "boolean");

/** One object for several: what each of them requires is required. */
function oneObject(objects: readonly Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const one of objects) {
    for (const [field, { const: value, ...schema }] of Object.entries(one.properties ?? {})) {
      properties[field] ??= typeof value === "boolean" ? schema : { ...schema, const: value };
    }
  }
  const required = Object.keys(properties).filter((field) =>
    objects.every((one) => one.required?.includes(field)),
  );
  return { type: "object", properties, required };
}
