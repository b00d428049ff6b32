import { describe, expect, test } from "vitest";
import { document } from "./examples.ts";
import { isCommonPattern } from "./common-pattern.ts";
import { schemasOf, type Located } from "./document-schemas.ts";

// What generators of clients turn into code that does not compile, or that decodes wrongly.

type Any = any;
type Rule = [about: string, faultsOf: (schema: Any, at: string) => boolean];

const { schemas } = document.components;
const all = schemasOf(document);
const nameIn = ($ref: string) => $ref.split("/").at(-1) ?? "";
const resolved = (schema: Any): Any =>
  schema.$ref === undefined ? schema : resolved(schemas[nameIn(schema.$ref)]);
const isUnion = (schema: Any) => "oneOf" in schema || "anyOf" in schema;
const isObject = (schema: Any) => resolved(schema).properties !== undefined;
const membersOf = ({ anyOf, oneOf }: Any): Any[] => anyOf ?? oneOf ?? [];

/** A name as generators write it in code. */
const inCode = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const repeated = (names: readonly string[]) =>
  names.filter((name, index) => names.map(inCode).indexOf(inCode(name)) !== index);

/** The fields of a schema and of the members of its `allOf`, with repetitions. */
const fieldsOf = (schema: Any): string[] => {
  const own = resolved(schema);
  return [...Object.keys(own.properties ?? {}), ...(own.allOf ?? []).flatMap(fieldsOf)];
};

const rules: Rule[] = [
  [
    "a constant that is no text",
    ({ const: value, enum: values }) =>
      (value !== undefined && typeof value !== "string") ||
      (values ?? []).some((one: unknown) => one !== null && typeof one !== "string"),
  ],
  [
    "a whole number of a request without bounds",
    ({ type, minimum, maximum }, at) =>
      at.includes("Input.") &&
      [type].flat().includes("integer") &&
      (minimum === undefined || maximum === undefined),
  ],
  [
    "a field that allOf declares twice",
    (schema) => "allOf" in schema && repeated(fieldsOf(schema)).length > 0,
  ],
  [
    "a default that is no scalar",
    (schema) => typeof schema.default === "object" && schema.default !== null,
  ],
  [
    "a pattern that languages read differently",
    ({ pattern }) => pattern !== undefined && !isCommonPattern(pattern),
  ],
  [
    "several types other than null",
    ({ type }) => [type ?? []].flat().filter((one: string) => one !== "null").length > 1,
  ],
  [
    "a union of objects with an unnamed member",
    (schema) =>
      membersOf(schema).filter(isObject).length > 1 &&
      membersOf(schema).some((one) => one.$ref === undefined),
  ],
  [
    "a union inside a union, which inherits from it",
    (schema) => membersOf(schema).some((one) => isUnion(resolved(one))),
  ],
  [
    "a union whose members have a constant type, without a discriminator",
    (schema) => {
      const types = membersOf(schema).map((one) => resolved(one).properties?.type?.const);
      const isDistinct = types.length > 1 && new Set(types).size === types.length;
      return isDistinct && !types.includes(undefined) && schema.discriminator === undefined;
    },
  ],
  [
    "a discriminator that does not map each member by its constant",
    ({ discriminator, oneOf }) =>
      discriminator !== undefined &&
      oneOf.some(({ $ref }: Any) => {
        const { const: value } = resolved({ $ref }).properties[discriminator.propertyName];
        return discriminator.mapping[value] !== $ref;
      }),
  ],
  [
    "fields that differ in case or punctuation alone",
    ({ properties = {} }) => repeated(Object.keys(properties)).length > 0,
  ],
  [
    "values of an enum that differ in case or punctuation alone",
    ({ enum: values = [] }) => repeated(values.map(String)).length > 0,
  ],
  [
    "a required field that the schema does not have",
    ({ required, properties = {} }) =>
      (required ?? []).some((field: string) => !Object.hasOwn(properties, field)),
  ],
  [
    "a number of bytes without format int64: Java and Kotlin read 32 bits",
    (schema, at) =>
      /(?:\.size|bytes)$/i.test(at) &&
      [schema.type].flat().includes("integer") &&
      schema.format !== "int64",
  ],
];

test.each(rules)("the document has no schema with %s", (_, isFault) => {
  const faults = all.filter(({ schema, at }: Located) => isFault(schema, at)).map(({ at }) => at);
  expect(faults).toEqual([]);
});

test("every rule finds its construct", () => {
  const named = (properties: Any) => ({ type: "object", properties });
  const constructs: Any[] = [
    { type: "boolean", const: false },
    { type: "integer", minimum: 0 },
    { allOf: [named({ id: { type: "string" } }), named({ id: { type: "integer" } })] },
    { type: "object", default: {} },
    { type: "string", pattern: "^\\d+$" },
    { type: ["string", "integer"] },
    { anyOf: [named({ a: {} }), named({ b: {} })] },
    { anyOf: [{ oneOf: [] }, { type: "string" }] },
    { anyOf: [named({ type: { const: "a" } }), named({ type: { const: "b" } })] },
    {
      oneOf: [{ $ref: "#/components/schemas/CardCreatedEvent" }],
      discriminator: { propertyName: "type", mapping: {} },
    },
    named({ cardId: {}, card_id: {} }),
    { type: "string", enum: ["a.b", "a_b"] },
    { type: "object", required: ["name"] },
    { type: "integer" },
  ];
  expect(constructs).toHaveLength(rules.length);
  for (const [index, [about, isFault]] of rules.entries()) {
    expect([about, isFault(constructs[index], "FileInput.size")]).toEqual([about, true]);
  }
});

describe("a pattern that means the same in all languages", () => {
  test("has sets of ASCII, plain groups and greedy repetitions", () => {
    const patterns = [
      "^[^,]+$",
      "^(?:UTC|[A-Z][a-z_+-]*)$",
      "^[!-~](?:[ -~]*[!-~])?$",
      "^a{2,9}:\\/",
    ];
    expect(patterns.filter((one) => !isCommonPattern(one))).toEqual([]);
  });

  test("has nothing else", () => {
    const patterns = String.raw`a$ ^a|b$ ^(?!a)b$ ^(?=a)b$ ^(a)\1$ ^\d+$ ^\p{L}$ ^a.b$ ^[a[b]]$ ^[a&&b]$
      ^a+?$ ^a++$ ^a{1001}$ ^(?<x>a)$ ^[\w-]$ ^é$ ^(?:a$ ^a)$ ^\bx$ ^(?i)a$ ^[]a]$ ^[^]$ ^a$b$ ^x**$`;
    expect(patterns.split(/\s+/).filter(isCommonPattern)).toEqual([]);
  });
});

/** Types of languages, their standard libraries, and what generated clients define. */
const taken = new Set(
  `any array bool boolean byte char character class comparable date double duration enum error
  exception file float function instant int integer iterable iterator list long map module
  nothing number object optional override package pair process promise record result runnable
  runtime sequence set short string stringbuilder struct success symbol system thread throwable time
  triple tuple unit uuid void
  api apiclient apierror apiexception apiresponse baseapi client clienterror clientinterface
  clientoption configuration errors httperror informational json models redirection
  requestbody requesteditorfn response responsetype serverconfiguration servererror serializer
  unset unexpectedstatus url`.split(/\s+/),
);

describe("the names of schemas", () => {
  const names = Object.keys(schemas);
  const operations = Object.values<Any>(document.paths)
    .flatMap((methods) => Object.values<Any>(methods))
    .map(({ operationId }): string => operationId);

  test("differ in more than case", () => expect(repeated(names)).toEqual([]));

  test("are not those of types of languages and clients", () =>
    expect(names.filter((name) => taken.has(inCode(name)))).toEqual([]));

  test("are not those that generators derive from operations", () => {
    const suffixes = ["Params", "Request", "Response", "JSONBody", "JSONRequestBody"];
    const derived = new Set(
      operations.flatMap((name) => suffixes.map((suffix) => inCode(name + suffix))),
    );
    expect(names.filter((name) => derived.has(inCode(name)))).toEqual([]);
  });

  test("differ from those of operations, also in case", () =>
    expect(repeated(operations)).toEqual([]));
});
