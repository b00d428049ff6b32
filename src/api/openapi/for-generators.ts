import { refTo, schemaName } from "../../kernel/schemas/schema.ts";
import { usedComponents } from "./used-components.ts";

type Node = Record<string, unknown>;
type Schemas = Record<string, Node>;

/** Enums that the interface has fixed: their values never change. */
const fixed: ReadonlySet<string> = new Set(["Plan"]);

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Replaces each object in a value, inner ones first. */
function mapNodes(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNodes(item, change));
  if (!isNode(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapNodes(item, change)])),
  );
}

const operationsIn = (paths: unknown): Node[] =>
  Object.values(Object(paths)).flatMap((methods) => Object.values(Object(methods)).filter(isNode));

/** Turns an enum into a text that lists its values, so that a new value breaks no client. */
function opened({ enum: values, description = "", ...schema }: Node): Node {
  const knownValues = Array.isArray(values) ? values.map(String) : [];
  const text = String(description);
  const isListed = knownValues.every((value) => text.includes(`\`${value}\``));
  const list = isListed
    ? ""
    : ` Known values: ${knownValues.map((value) => `\`${value}\``).join(", ")}.`;
  const about = `${text}${list} A later version can add values.`.trim();
  return { ...schema, "x-known-values": knownValues, description: about };
}

/** Opens the enums in everything that the service sends. Inputs keep closed ones. */
export function openEnums(document: Node): Node {
  const components: Record<string, Schemas> = Object(document["components"]);
  const schemas = components["schemas"] ?? {};
  const requestParts = operationsIn(document["paths"]).map(({ parameters, requestBody }) => [
    parameters,
    requestBody,
  ]);
  const sent = [requestParts, components["parameters"]];
  const { schemas: inputs = {} } = usedComponents({ paths: sent, components: { schemas } });
  const names = Object.keys(schemas).filter(
    (name) => Array.isArray(schemas[name]?.["enum"]) && !fixed.has(name),
  );
  const shared = new Set(names.filter((name) => name in inputs));
  const toOpen = ({ $ref, ...node }: Node): Node => {
    const name = typeof $ref === "string" ? schemaName($ref) : "";
    if (shared.has(name)) return { ...node, ...refTo(`${name}Value`) };
    return $ref === undefined ? node : { $ref, ...node };
  };
  const withOpenEnums = (part: unknown) => mapNodes(part, toOpen);
  const openOperation = (value: unknown): Node => ({
    ...Object(value),
    responses: withOpenEnums(Object(value).responses),
  });
  const eachOf = (part: unknown, change: (item: unknown) => unknown) =>
    Object.fromEntries(Object.entries(Object(part)).map(([name, item]) => [name, change(item)]));
  const all = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
    if (shared.has(name)) {
      return [
        [name, schema],
        [`${name}Value`, opened(schema)],
      ];
    }
    if (names.includes(name)) return [[name, opened(schema)]];
    return [[name, name in inputs ? schema : withOpenEnums(schema)]];
  });
  const openedDocument = {
    ...document,
    paths: eachOf(document["paths"], (methods) => eachOf(methods, openOperation)),
    webhooks: withOpenEnums(document["webhooks"]),
    components: {
      ...components,
      responses: eachOf(components["responses"], withOpenEnums),
      schemas: Object.fromEntries(all),
    },
  };
  return { ...openedDocument, components: usedComponents(openedDocument) };
}

/** Moves defaults into descriptions: openapi-typescript would make their fields required. */
export const withoutDefaults = (schema: unknown): unknown =>
  mapNodes(schema, ({ properties, ...node }) =>
    properties === undefined || !isNode(properties)
      ? { ...node, ...(properties === undefined ? {} : { properties }) }
      : {
          ...node,
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, schemaOfField]) => [
              field,
              withDefaultInWords(schemaOfField),
            ]),
          ),
        },
  );

function withDefaultInWords(field: unknown): unknown {
  if (!isNode(field) || !("default" in field) || isNode(field["default"])) return field;
  const { default: value, description = "", ...rest } = field;
  return { ...rest, description: `${String(description)} Default: \`${String(value)}\`.`.trim() };
}
