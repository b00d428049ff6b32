import { refTo, schemaName } from "../../kernel/schemas/schema.ts";

type Node = Record<string, unknown>;
type Schemas = Record<string, Node>;

/** Enums that the interface has fixed: their values never change. */
const fixed: ReadonlySet<string> = new Set(["Plan"]);

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** A value with each of its objects replaced, the inner ones first. */
function mapNodes(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((one) => mapNodes(one, change));
  if (!isNode(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapNodes(one, change)])),
  );
}

/** The names of the schemas that a part of the document refers to, with all that these need. */
function reachedFrom(part: unknown, schemas: Schemas): Set<string> {
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    const { $ref } = value;
    const name = typeof $ref === "string" ? schemaName($ref) : "";
    if (name in schemas && !reached.has(name)) {
      reached.add(name);
      visit(schemas[name]);
    }
    Object.values(value).forEach(visit);
  };
  visit(part);
  return reached;
}

const operationsIn = (paths: unknown): Node[] =>
  Object.values(Object(paths)).flatMap((methods) => Object.values(Object(methods)).filter(isNode));

/** An enum as a text whose known values are listed: the next value must not break a client. */
function opened({ enum: values, description = "", ...schema }: Node): Node {
  const known = Array.isArray(values) ? values.map(String) : [];
  const text = String(description);
  const isListed = known.every((value) => text.includes(`\`${value}\``));
  const list = isListed ? "" : ` Known values: ${known.map((value) => `\`${value}\``).join(", ")}.`;
  const about = `${text}${list} A later version can add values.`.trim();
  return { ...schema, "x-known-values": known, description: about };
}

/** The document with open enums in everything that the service sends. Inputs keep theirs. */
export function openEnums(document: Node): Node {
  const components: Record<string, Schemas> = Object(document["components"]);
  const schemas = components["schemas"] ?? {};
  const taken = operationsIn(document["paths"]).map(({ parameters, requestBody }) => [
    parameters,
    requestBody,
  ]);
  const inputs = reachedFrom([taken, components["parameters"]], schemas);
  const names = Object.keys(schemas).filter(
    (name) => Array.isArray(schemas[name]?.["enum"]) && !fixed.has(name),
  );
  const shared = new Set(names.filter((name) => inputs.has(name)));
  const toOpen = ({ $ref, ...node }: Node): Node => {
    const name = typeof $ref === "string" ? schemaName($ref) : "";
    if (shared.has(name)) return { ...node, ...refTo(`${name}Value`) };
    return $ref === undefined ? node : { $ref, ...node };
  };
  const sent = (part: unknown) => mapNodes(part, toOpen);
  const operation = (one: unknown): Node => ({
    ...Object(one),
    responses: sent(Object(one).responses),
  });
  const eachOf = (part: unknown, change: (one: unknown) => unknown) =>
    Object.fromEntries(Object.entries(Object(part)).map(([name, one]) => [name, change(one)]));
  const all = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
    if (shared.has(name)) {
      return [
        [name, schema],
        [`${name}Value`, opened(schema)],
      ];
    }
    if (names.includes(name)) return [[name, opened(schema)]];
    return [[name, inputs.has(name) ? schema : sent(schema)]];
  });
  const openedDocument = {
    ...document,
    paths: eachOf(document["paths"], (methods) => eachOf(methods, operation)),
    webhooks: sent(document["webhooks"]),
    components: {
      ...components,
      responses: sent(components["responses"]),
      schemas: Object.fromEntries(all),
    },
  };
  return withUsedSchemas(openedDocument);
}

/** The document without the open forms of enums that nothing sends. */
function withUsedSchemas(document: Node): Node {
  const components: Record<string, Schemas> = Object(document["components"]);
  const { schemas = {}, ...others } = components;
  const used = reachedFrom({ ...document, components: others }, schemas);
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, components: { ...others, schemas: Object.fromEntries(kept) } };
}

/** A schema whose fields name their defaults in words: openapi-typescript would require them. */
export const withoutDefaults = (schema: unknown): unknown =>
  mapNodes(schema, ({ properties, ...node }) =>
    properties === undefined || !isNode(properties)
      ? { ...node, ...(properties === undefined ? {} : { properties }) }
      : {
          ...node,
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, one]) => [field, withDefaultInWords(one)]),
          ),
        },
  );

function withDefaultInWords(field: unknown): unknown {
  if (!isNode(field) || !("default" in field) || isNode(field["default"])) return field;
  const { default: value, description = "", ...rest } = field;
  return { ...rest, description: `${String(description)} Default: \`${String(value)}\`.`.trim() };
}
