import { fieldTexts } from "../../contract/texts/fields.ts";
import { schemaTexts } from "../../contract/texts/schemas.ts";
import type { Schema } from "../../kernel/schemas/schema.ts";

/** Describes the shared schemas and their fields, unless they describe themselves. */
export const describeSchemas = (schemas: Record<string, Schema>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const about = schema["description"] ?? schemaTexts[name];
      const described = describeFields(schema, name);
      return [name, about === undefined ? described : { ...described, description: about }];
    }),
  );

/** Describes the fields of a schema. The schemas of events share their texts. */
export function describeFields(schema: Schema, name: string, parent?: string): Schema {
  const { properties, items, anyOf } = schema;
  const owner = /Event(?:Body)?$/.test(name) ? "Event" : name;
  const fields = Object.entries(properties ?? {}).map(([field, one]) => {
    const inner = describeFields(one, "", field);
    const about = one["description"] ?? fieldText(field, parent ?? owner);
    const isDescribed = about === undefined || one.$ref !== undefined;
    return [field, isDescribed ? inner : { ...inner, description: about }];
  });
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(items === undefined ? {} : { items: describeFields(items, name, parent) }),
    ...(anyOf === undefined
      ? {}
      : { anyOf: anyOf.map((one) => describeFields(one, name, parent)) }),
  };
}

/** The description of a field: that of its schema or parent field, or of all fields of its name. */
export const fieldText = (field: string, owner: string): string | undefined =>
  fieldTexts[`${owner}.${field}`] ?? fieldTexts[field];
