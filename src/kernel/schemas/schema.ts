import { z } from "zod";

const Keywords = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  default: z.json().optional(),
  examples: z.array(z.json()).optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** A JSON Schema as zod writes it. */
export type Schema = z.infer<typeof Keywords> & {
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
};

/** Reads a JSON Schema. */
export const Schema: z.ZodType<Schema> = Keywords.extend({
  properties: z.record(
    z.string(),
    z.lazy(() => Schema),
  ),
  items: z.lazy(() => Schema),
  anyOf: z.array(z.lazy(() => Schema)),
  oneOf: z.array(z.lazy(() => Schema)),
}).partial();

const prefix = "#/components/schemas/";

/** A reference to a shared schema. */
export const refTo = (name: string): Schema => ({ $ref: `${prefix}${name}` });

/** The name of the shared schema that a reference points at. */
export const schemaName = ($ref: string) => $ref.slice(prefix.length);

/**
 * Simplifies a schema: `["string", "null"]` for a union of the two, no trivial bounds.
 *
 * An object has no default, which generators cannot express: its fields have theirs.
 */
export function tidy({ properties, items, anyOf, ...keywords }: Schema): Schema {
  const { minimum, maximum, default: value, pattern, ...others } = keywords;
  // Clients of PHP and Ruby parse a time, and then compare it with the pattern.
  const isChecked = pattern !== undefined && others.format !== "date-time";
  const hasDefault = value !== undefined && (typeof value !== "object" || Array.isArray(value));
  const plain = {
    ...others,
    ...(isChecked ? { pattern } : {}),
    ...(hasDefault ? { default: value } : {}),
  };
  const [first, second] = anyOf ?? [];
  if (first !== undefined && second?.type === "null" && anyOf?.length === 2) {
    const inner = tidy(first);
    if (typeof inner.type === "string") return { ...plain, ...orNull(inner) };
  }
  return {
    ...plain,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(properties === undefined ? {} : { properties: tidyAll(properties) }),
    ...(items === undefined ? {} : { items: tidy(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(tidy) }),
  };
}

/** Tidies every schema of a record. */
export const tidyAll = (schemas: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)]));

const orNull = (schema: Schema): Schema => ({
  ...schema,
  type: [schema.type ?? [], "null"].flat(),
  ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
});
