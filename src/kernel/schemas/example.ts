import type { z } from "zod";
import { schemaName, type Schema } from "./schema.ts";

/** A value of JSON. */
export type Json = z.infer<ReturnType<typeof z.json>>;

type Schemas = Readonly<Record<string, Schema>>;

/** Makes the example of a schema; always the same one. `field` names it in errors. */
export type Exemplify = (schema: Schema, field?: string) => Json;

/**
 * Whether an example shows a field: required ones, and others that declare an example.
 *
 * Optional fields without an example exclude others, or no value fits every operation.
 */
export const isShown = (required: boolean, schema: Schema, schemas: Schemas = {}): boolean =>
  required || (schema["deprecated"] !== true && hasExample(schema, schemas));

function hasExample({ $ref, items, ...schema }: Schema, schemas: Schemas): boolean {
  if ((schema.examples ?? []).length > 0 || schema.default !== undefined) return true;
  if (schema.type === "boolean") return true;
  if ($ref !== undefined) return hasExample(schemas[schemaName($ref)] ?? {}, schemas);
  if (items !== undefined) return hasExample(items, schemas);
  return (schema.required ?? []).length > 0;
}

/** Makes examples of schemas that may refer to shared ones, from the examples of their fields. */
export function exemplifier(schemas: Schemas): Exemplify {
  const make: Exemplify = (schema, field = "") => {
    const { $ref, properties, required = [], items, examples: [example] = [] } = schema;
    if (example !== undefined) return example;
    if ($ref !== undefined) return make(schemas[schemaName($ref)] ?? {}, field);
    if (properties !== undefined) {
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name, property]) => isShown(required.includes(name), property, schemas))
          .map(([name, property]) => [name, make(property, `${field}.${name}`)]),
      );
    }
    if (items !== undefined) return [make(items, field)];
    const value = schema.const ?? schema.enum?.[0] ?? schema.default;
    if (value !== undefined) return value;
    if (schema.type === "boolean") return false;
    const [first] = schema.anyOf ?? schema.oneOf ?? [];
    if (first !== undefined) return make(first, field);
    throw new Error(`${field} has no example: add \`examples\` to its schema.`);
  };
  return make;
}
