type Any = any;

/** Values to try for a schema: at its bounds, beyond them, and of other types. */
export type Values = (schema: Any, example: unknown, depth?: number) => unknown[];

const others: unknown[] = [null, true, 0, -1, 1.5, "", "x", [], {}, [[]], "null", "1"];
const moments = [
  "2026-01-31T10:00:00Z",
  "2026-01-31T10:00:00.123456+05:30",
  "0001-01-01T00:00:00Z",
  "2026-13-01T10:00:00Z",
  "2026-04-31T10:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T10:00:00",
  "2026-01-31",
  "\u0662\u0660\u0662\u0666-01-31T10:00:00Z",
];
const addresses = ["a@example.com", "A+b@Example.co.uk", "a@b", "@example.com", "a b@example.com"];
const urls = ["https://example.com/", "HTTPS://example.com/a?b#c", "ftp://example.com/", "//x"];
const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": moments,
  email: addresses,
  uri: urls,
};
/** Longer bodies are refused as a whole. */
const longest = 200_000;

/** Makes the values for the schemas of a document. */
export function valuesFor(resolve: (schema: Any) => Any): Values {
  const values: Values = (given, example, depth = 0) => {
    const schema = resolve(given);
    const members: Any[] = [schema.anyOf ?? schema.oneOf ?? []].flat();
    return [
      ...(depth < 2 ? others : []),
      ...textsOf(schema, example),
      ...numbersOf(schema),
      ...(schema.enum ?? []).slice(0, 8),
      ...(schema.enum ?? []).slice(0, 1).map((one: string) => `${one}X`),
      ...arraysOf(schema, example, depth),
      ...objectsOf(schema, example, depth),
      ...members.slice(0, 4).flatMap((one) => values(one, example, depth + 1)),
    ];
  };
  const arraysOf: Values = ({ items, minItems = 0, maxItems }, example, depth = 0) => {
    if (items === undefined) return [];
    const [first] = Array.isArray(example) ? example : [];
    const some = (count: number) => Array.from({ length: count }, () => first);
    const counts = [minItems - 1, minItems, maxItems, maxItems + 1].filter(
      (count) => count >= 0 && count <= 1_001,
    );
    const inner = depth < 2 ? values(items, first, depth + 1).map((one) => [one]) : [];
    return first === undefined ? inner : [...counts.map(some), ...inner];
  };
  const objectsOf: Values = ({ properties }, example, depth = 0) => {
    if (properties === undefined || !isRecord(example)) return [];
    const without = Object.keys(example).map((field) => {
      const { [field]: _, ...rest } = example;
      return rest;
    });
    const changed = Object.entries(properties)
      .filter(([field]) => field in example)
      .flatMap(([field, one]) =>
        values(one, example[field], depth + 1).map((value) => ({ ...example, [field]: value })),
      );
    return [example, { ...example, unknownField: 1 }, ...without, ...(depth < 2 ? changed : [])];
  };
  return values;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textsOf({ type, minLength = 0, maxLength, format = "", pattern }: Any, example: unknown) {
  if (![type].flat().includes("string")) return [];
  const known = typeof example === "string" && example !== "" ? example : "a";
  const ofLength = (length: number) => known.padEnd(length, known.at(-1)).slice(0, length);
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter(
    (length) => length >= 0 && length <= longest,
  );
  const wide = maxLength <= 5_000 ? ["🙂".repeat(maxLength), "🙂".repeat(maxLength + 1)] : [];
  const spelled = pattern === undefined ? [] : [`${known}é`, ` ${known}`, known.toUpperCase(), "-"];
  return [known, ...lengths.map(ofLength), ...wide, ...spelled, ...(formats[format] ?? [])];
}

function numbersOf({ type, minimum, maximum }: Any): unknown[] {
  if (![type].flat().includes("integer")) return [];
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  return [1, 2 ** 31, 1e300, ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1])];
}

/**
 * A value as the service reads it: a text without spaces around it, a URL in the form that it is
 * called, a planned date as a time, and the name of a new label as a label.
 */
export function inNormalForm(value: unknown, field = ""): unknown {
  if (field === "labels" && Array.isArray(value)) {
    return value.map((one) =>
      typeof one === "string" ? { name: one.trim(), colourCode: "#6b7280" } : one,
    );
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, inNormalForm(inner, key)]),
    );
  }
  if (field === "dueDate" || field === "startDate") {
    const isZoneless = typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:T[\d:]+)?$/.test(value);
    if (typeof value === "number" || isZoneless) return "2026-01-31T10:00:00Z";
  }
  if (typeof value !== "string") return value;
  const text = value.trim();
  return text.includes("://") && URL.canParse(text) ? new URL(text).href : text;
}
