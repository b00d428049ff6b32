import { theDocument } from "../support/responses.ts";
import { hostileText, hostileValue } from "./hostile.ts";
import type { Ids } from "./ids.ts";
import type { Random } from "./random.ts";

/** The keywords of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

/** The values that a generated input is made of. */
export type Source = { random: Random; ids: Ids };

/** The fields of an input: a valid value of each required and of some optional fields. */
export const generateFields = (
  fields: { name: string; schema: Schema; required: boolean }[],
  source: Source,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required || source.random.chance(0.2))
      .map(({ name, schema }) => [name, generate(schema, name, source)]),
  );

/** A value that a schema allows; `name` is the name of its field. */
function generate(schema: Schema, name: string, source: Source): unknown {
  const { random, ids } = source;
  const known = ids.pick(name, random);
  if (known !== undefined && typeOf(schema, random) === "string") return known;
  if (schema.$ref !== undefined) return generate(resolved(schema.$ref), name, source);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return generate(random.pick(choices) ?? {}, name, source);
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((part) => generate(part, name, source));
    return Object.assign({}, ...parts.filter((part) => typeof part === "object"));
  }
  return generateType(typeOf(schema, random), schema, name, source);
}

function generateType(type: string, schema: Schema, name: string, source: Source): unknown {
  const { random } = source;
  switch (type) {
    case "string":
      return text(schema, name, random);
    case "integer":
    case "number": {
      const { minimum = 0, maximum = 100 } = schema;
      return random.pick([minimum, maximum, minimum + random.below(maximum - minimum + 1)]);
    }
    case "boolean":
      return random.chance(0.5);
    case "array": {
      const { minItems = 0, maxItems = 4, items = {} } = schema;
      const count = Math.min(maxItems, minItems + random.below(4));
      return Array.from({ length: count }, () => generate(items, name.replace(/s$/, ""), source));
    }
    case "object": {
      const { properties = {}, required = [] } = schema;
      const fields = Object.entries(properties).map(([field, inner]) => ({
        name: field,
        schema: inner,
        required: required.includes(field),
      }));
      return generateFields(fields, source);
    }
    default:
      return null;
  }
}

const typeOf = ({ type = "object" }: Schema, random: Random): string =>
  Array.isArray(type) ? (random.pick(type) ?? "null") : type;

const resolved = (ref: string) =>
  theDocument().components.schemas[ref.split("/").at(-1) ?? ""] as Schema;

/** Valid values of fields whose format the schema does not state. */
const byName: Record<string, readonly string[]> = {
  cardNumber: ["1", "2", "FUZ-1"],
  event: ["card.*", "card.created", "*"],
  contentType: ["text/plain", "image/png"],
  filename: ["file.txt"],
  colourCode: ["#1f2e3d"],
  apiKey: ["0123456789abcdef0123456789abcdef"],
  url: ["https://target.invalid/path"],
  lists: ["To do"],
  query: ["Card", "1", "FUZ-2"],
};

let count = 0;

function text(
  { format, pattern, minLength = 0, maxLength = 60 }: Schema,
  name: string,
  random: Random,
) {
  if (format === "date-time") return new Date(random.below(4_000_000_000) * 1000).toISOString();
  if (format === "email") return `fuzz-${++count}-${random.below(1e9)}@example.com`;
  // No address of these resolves.
  if (format === "uri") return `https://target-${random.below(20)}.invalid/path`;
  const usual = byName[name];
  if (usual !== undefined) return random.pick(usual);
  if (name === "slug" || name.endsWith("Slug")) return `slug-${random.below(1e6)}`;
  if (/password/i.test(name)) return "a password for fuzzing";
  if (pattern?.includes("#") === true) return "#abcdef";
  const hostile = hostileText(random);
  if (random.chance(0.1) && hostile.length >= minLength && hostile.length <= maxLength)
    return hostile;
  const length = Math.max(minLength, Math.min(maxLength, 3 + random.below(20)));
  return `${name} ${random.below(1e6)} ${"x".repeat(length)}`.slice(0, Math.max(minLength, length));
}

/** Changes up to three values of an input: to a hostile one, to nothing, or to a new field. */
export function mutate(input: Record<string, unknown>, random: Random): void {
  for (let left = 1 + random.below(3); left > 0; left--) {
    const spots: [Record<string, unknown>, string][] = [];
    collect(input, spots);
    const [holder, key] = random.pick(spots) ?? [input, "unknown"];
    const kind = random.below(6);
    if (kind === 0) delete holder[key];
    else if (kind === 1) holder[`x${random.below(40)}`] = hostileValue(random);
    else holder[key] = hostileValue(random);
  }
}

function collect(node: unknown, spots: [Record<string, unknown>, string][]): void {
  if (typeof node !== "object" || node === null || spots.length > 200) return;
  for (const key of Object.keys(node)) {
    spots.push([node as Record<string, unknown>, key]);
    collect((node as Record<string, unknown>)[key], spots);
  }
}
