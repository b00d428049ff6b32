import { z } from "zod";
import { withoutDefaults } from "./for-generators.ts";
import { refTo, Schema, schemaName } from "../../kernel/schemas/schema.ts";

/** Names that clash with types of programming languages, and what replaces them. */
const replacements: Readonly<Record<string, string>> = {
  Error: "ErrorResponse",
  Import: "ImportJob",
  List: "ListDetail",
  NewApiKey: "CreatedApiKey",
  NewWebhook: "CreatedWebhook",
  NewWorkspace: "CreatedWorkspace",
  Success: "SuccessResponse",
};

const Enum = z.looseObject({ type: z.unknown(), enum: z.array(z.unknown()) });

/** The name of a schema, without clashes. */
export const safeName = (name: string) => replacements[name] ?? name;

/**
 * The schema name of a body: the verb, the resource, and what the operation's name says beyond.
 *
 * `CreateCardInput` of `card.create`, and `AddCardLabelInput` of `card.addLabel`.
 */
export function inputName(operation: string): string {
  const [resource = "", name = ""] = operation.split(".").map(capitalized);
  const [, verb = "", rest = ""] = /^([A-Z][a-z]*)(.*)$/.exec(name) ?? [];
  return `${verb}${resource}${rest}Input`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * The document with a component for each enum, and safe names for all schemas.
 *
 * `extend` makes further schemas from the described ones.
 */
export function nameSchemas(
  document: Record<string, unknown>,
  { schemas = {}, ...others }: Record<string, Record<string, unknown>>,
  extend: (schemas: Record<string, Schema>) => Record<string, Schema>,
): Record<string, unknown> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const values = valuesOf(schema);
    if (values !== undefined) names.set(values, name);
  }
  const enums: Record<string, Schema> = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const values = valuesOf(value);
    if (values !== undefined) return reference(value, values);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === "$ref" ? safeRef(part) : visit(part),
      ]),
    );
  };
  const reference = (schema: object, values: string) => {
    const { type: _, enum: all, ...rest } = Enum.parse(schema);
    const name = names.get(values);
    if (name === undefined)
      throw new Error(`The enum of ${values} has no name: .meta({ id: "…" })`);
    enums[name] = { type: "string", enum: values.split(" ") };
    if (!all.includes(null)) return { ...rest, ...refTo(name) };
    return { ...rest, anyOf: [refTo(name), { type: "null" }] };
  };
  const visited = Object.entries(schemas)
    .filter(([, schema]) => valuesOf(schema) === undefined)
    .map(([name, schema]) => [safeName(name), visit(schema)] as const);
  const ownEnums = Object.entries(schemas).filter(([, schema]) => valuesOf(schema) !== undefined);
  const visitAll = (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).map(([name, part]) => [name, visit(part)]));
  const visitedDocument = visitAll(document);
  const visitedOthers = visitAll(others);
  const all = [...visited, ...Object.entries({ ...enums, ...Object.fromEntries(ownEnums) })];
  const namedSchemas = Object.fromEntries(
    all.map(([name, schema]) => [name, Schema.parse(schema)]),
  );
  const sorted = Object.entries({ ...namedSchemas, ...extend(namedSchemas) })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => [name, withoutDefaults(schema)] as const);
  return {
    ...visitedDocument,
    components: { ...visitedOthers, schemas: Object.fromEntries(sorted) },
  };
}

/** The values of an enum of several texts, separated by spaces; undefined for another schema. */
function valuesOf(schema: unknown): string | undefined {
  const isEnum = typeof schema === "object" && schema !== null && "enum" in schema;
  const all: unknown[] = isEnum && Array.isArray(schema.enum) ? schema.enum : [];
  const texts = all.filter((value) => typeof value === "string");
  return texts.length > 1 ? texts.join(" ") : undefined;
}

const safeRef = ($ref: unknown) =>
  typeof $ref === "string" && $ref.startsWith(`${refTo("").$ref}`)
    ? refTo(safeName(schemaName($ref))).$ref
    : $ref;
