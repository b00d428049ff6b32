import { mayJoinBatch } from "../../kernel/batch/schemas.ts";
import { refTo, type Schema } from "../../kernel/schemas/schema.ts";
import type { Route } from "../rest/routes.ts";
import { inputName } from "./name-schemas.ts";
import type { DescribedOperation } from "./operation.ts";

type Schemas = Readonly<Record<string, Schema>>;

const bodyName = inputName("workspace.batch");
const unionName = "BatchOperation";

/**
 * The schemas of a batch: a union in which `operation` decides the input, and its members.
 *
 * A member takes the path parameters and the body of its operation, as the document has them.
 */
export function describeBatch(
  routes: readonly Route[],
  operations: readonly DescribedOperation[],
  schemas: Schemas,
): Record<string, Schema> {
  const body = schemas[bodyName] ?? {};
  const list = body.properties?.["operations"] ?? {};
  const joining = new Set<string>(
    routes.flatMap(({ name, definition }) => (mayJoinBatch(name, definition) ? [name] : [])),
  );
  const members = operations
    .filter(({ operationId }) => joining.has(operationId))
    .map((operation) => {
      const name = memberName(operation.operationId);
      const operationBody = schemas[inputName(operation.operationId)];
      return [
        operation.operationId,
        name,
        memberOf(operation, list.items ?? {}, operationBody),
      ] as const;
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const union: Schema = {
    oneOf: members.map(([, name]) => refTo(name)),
    discriminator: {
      propertyName: "operation",
      mapping: Object.fromEntries(members.map(([id, name]) => [id, refTo(name).$ref])),
    },
    description: "An operation of a batch. `operation` decides its input.",
  };
  const typed = { ...list, items: refTo(unionName) };
  return {
    ...Object.fromEntries(members.map(([, name, schema]) => [name, schema])),
    [unionName]: union,
    [bodyName]: { ...body, properties: { ...body.properties, operations: typed } },
  };
}

/** The schema name of an operation in a batch: `BatchCardUpdate` of `card.update`. */
const memberName = (operation: string) =>
  `Batch${operation.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

function memberOf(
  { operationId, summary, parameters }: DescribedOperation,
  { properties = {}, ...item }: Schema,
  body: Schema | undefined,
): Schema {
  const { input = {}, ifVersion = {} } = properties;
  const typed = inputOf(parameters, body, input["description"]);
  return {
    ...item,
    required: ["operation", ...(typed.required === undefined ? [] : ["input"])],
    properties: {
      operation: {
        type: "string",
        const: operationId,
        description: "The name of the operation.",
      },
      input: typed,
      ifVersion,
    },
    description: `\`${operationId}\`: ${summary}.`,
  };
}

function inputOf(
  parameters: DescribedOperation["parameters"],
  { required = [], properties = {}, minProperties, maxProperties }: Schema = {},
  description: unknown,
): Schema {
  const named = parameters.flatMap((item) => ("name" in item ? [item] : []));
  const needed = named.flatMap((item) => (item.required ? [item.name] : []));
  const all = [...needed, ...required];
  const fields = named.map(({ name, schema, description: about }) => [
    name,
    about === undefined ? schema : { ...schema, description: about },
  ]);
  const bound = (name: string, limit: unknown, added: number) =>
    typeof limit === "number" ? { [name]: limit + added } : {};
  return {
    type: "object",
    ...(all.length === 0 ? {} : { required: all }),
    properties: { ...Object.fromEntries(fields), ...properties },
    ...bound("minProperties", minProperties, needed.length),
    ...bound("maxProperties", maxProperties, named.length),
    additionalProperties: false,
    description,
  };
}
