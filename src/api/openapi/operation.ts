import { answeredTypes, takesIfMatch, type RestOptions } from "../../kernel/request/rest.ts";
import { needOf, ruleOf, viewsOf, type Rule } from "../../contract/policy.ts";
import type { Route } from "../rest/routes.ts";
import type { Drafted, DraftedParameter } from "./draft.ts";
import { isShown, type Exemplify } from "../../kernel/schemas/example.ts";
import { exampleFor } from "./failure-examples.ts";
import { declaredFailures } from "../../contract/interface.ts";
import { failuresOf } from "./failures.ts";
import { linksOf } from "./links.ts";
import { headerParameter, ifMatchParameter } from "./headers.ts";
import { failureResponse, otherFailure } from "./responses.ts";
import { refTo, tidy, type Schema } from "../../kernel/schemas/schema.ts";
import { inputName } from "./name-schemas.ts";
import { fileBody, successResponses } from "./success-responses.ts";

/** The context of a document's operations. Their bodies are added to `schemas`. */
export type Shared = {
  exemplify: Exemplify;
  schemas: Record<string, Schema>;
  routes: readonly Route[];
};

/** An operation as the document describes it. */
export type DescribedOperation = ReturnType<typeof describeOperation>;

/** The OpenAPI description of an operation. */
export function describeOperation(
  draft: Drafted,
  route: Route,
  output: Schema,
  { exemplify, schemas, routes }: Shared,
) {
  const { operation, method, options, definition } = route;
  const rule = ruleOf(operation);
  const { summary, description, tags } = draft;
  const fields = options.inBody ? bodyOfQuery(draft) : bodyOf(draft);
  const takesBytes = options.requestBody === "bytes";
  const body = takesBytes ? undefined : fields;
  const parameters = options.inBody
    ? draft.parameters.filter((parameterDraft) => parameterDraft.in === "path")
    : draft.parameters;
  const drafted = [...parameters, ...(takesBytes ? inQuery(fields) : [])];
  const fieldNames = [...drafted.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
  const failures = failuresOf({
    name: operation,
    method,
    isMutation: definition.type === "mutation",
    hasType: answeredTypes(options).length > 0,
    fields: fieldNames,
    declared: options.errors ?? [],
  });
  return {
    operationId: operation,
    tags,
    summary,
    description: withPermission(description, rule),
    "x-required-permission": needOf(rule),
    ...(viewsOf(rule).length > 0 ? { "x-view-permissions": viewsOf(rule) } : {}),
    ...("needs" in rule && rule.orCreator ? { "x-or-creator": true } : {}),
    "x-emits": rule.emits ?? [],
    security: [...securityOf(rule), ...(options.events ? [{ ticket: [] }] : [])],
    parameters: [
      ...drafted
        .toSorted(
          (one, other) => positionInPath(route.path, one) - positionInPath(route.path, other),
        )
        .map((draftedParameter) => parameter(draftedParameter, route, exemplify, schemas)),
      ...headerParameters(route),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(body, route, exemplify, schemas) }),
    ...(takesBytes ? { requestBody: { required: true, content: fileBody } } : {}),
    responses: Object.fromEntries<object>([
      ...successResponses(route, output, exemplify, linksOf(route, routes, output, schemas)),
      ...failures.map((code) => failureResponse(code, exampleFor(code, operation, fieldNames))),
      ...(operation in declaredFailures ? [["default", otherFailure] as const] : []),
    ]),
  };
}

/** A description that names the permission after its first sentence. */
function withPermission(description: string, rule: Rule): string {
  if (!("needs" in rule) || rule.needs === "member") return description;
  const permission = `\`${rule.needs}\`${rule.orCreator ? " (or being the creator)" : ""}`;
  const all = [permission, ...viewsOf(rule).map((view) => `\`${view}\``)];
  const [first = ""] = /^.+?\.(?= |$)/s.exec(description) ?? [];
  return `${first} Requires ${inWords.format(all)}.${description.slice(first.length)}`;
}

const inWords = new Intl.ListFormat("en");

function securityOf({ on }: Rule) {
  if (on === "public") return [];
  return on === "operator" ? [{ adminKey: [] }, { bearer: [] }] : [{ bearer: [] }];
}

/** Sorts path parameters in the order of the path, before all others. */
const positionInPath = (path: string, { name }: DraftedParameter) =>
  `${path}{${name}}`.indexOf(`{${name}}`);

/** The schema of a JSON body, which rejects unknown fields. Undefined without fields. */
function bodyOf(draft: Drafted): Schema | undefined {
  const schema = draft.requestBody?.content["application/json"].schema;
  if (Object.keys(schema?.properties ?? {}).length === 0) return undefined;
  return { ...tidy(schema ?? {}), additionalProperties: false };
}

/** The body of an operation whose fields trpc-to-openapi describes as query parameters. */
const bodyOfQuery = ({ parameters }: Drafted): Schema => {
  const fields = parameters.filter((field) => field.in === "query");
  const required = fields.flatMap((field) => (field.required ? [field.name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, tidy(schema)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
};

/** The query parameters of an operation whose body is bytes. */
const inQuery = ({ properties = {}, required = [] }: Schema = {}): DraftedParameter[] =>
  Object.entries(properties).map(([name, schema]) => ({
    in: "query",
    name,
    required: required.includes(name),
    schema,
  }));

/** A JSON body, whose schema becomes a component. */
function requestBody(
  schema: Schema,
  { operation, options: { bodyFields = {} } }: Route,
  exemplify: Exemplify,
  schemas: Record<string, Schema>,
) {
  const name = inputName(operation);
  const description = `The body of \`${operation}\`.`;
  const isOverridable = schema.properties?.["override"] !== undefined;
  schemas[name] = { ...schema, ...bounds(bodyFields, isOverridable), description };
  const example = exemplify(schema, operation);
  return {
    required: (schema.required ?? []).length > 0 || (bodyFields.min ?? 0) > 0,
    content: { "application/json": { schema: refTo(name), example } },
  };
}

/** How many fields a body has. `override`, which the rule of an operation may add, is one more. */
const bounds = (
  { min, max }: RestOptions["bodyFields"] & object,
  isOverridable: boolean,
): Schema => ({
  ...(min === undefined ? {} : { minProperties: min }),
  ...(max === undefined ? {} : { maxProperties: max + Number(isOverridable) }),
  ...(min === undefined || !isOverridable
    ? {}
    : { dependentSchemas: { override: { minProperties: min + 1 } } }),
});

function parameter(
  drafted: DraftedParameter,
  { operation }: Route,
  exemplify: Exemplify,
  schemas: Record<string, Schema>,
) {
  const { required = false } = drafted;
  // The parameter itself has description and example.
  const { description, examples = [], ...tidied } = tidy(drafted.schema);
  const schema = drafted.in === "query" ? withoutCommas(tidied) : tidied;
  return {
    in: drafted.in,
    name: drafted.name,
    required,
    ...(typeof description === "string"
      ? { description: description + manyText(drafted.in, schema) }
      : {}),
    schema,
    ...(isShown(required, { ...schema, examples }, schemas)
      ? { example: exemplify({ ...schema, examples }, `${operation} ${drafted.name}`) }
      : {}),
  };
}

const manyText = (location: string, { type }: Schema) =>
  location === "query" && type === "array"
    ? " Repeat the parameter, or separate values by commas."
    : "";

/** An array of a query, whose items a comma separates. Values of enums have no comma. */
function withoutCommas(schema: Schema): Schema {
  const { items } = schema;
  if (items?.type !== "string" || items["enum"] !== undefined) return schema;
  return { ...schema, items: { ...items, pattern: "^[^,]+$" } };
}

function headerParameters({ operation, method, options, definition }: Route) {
  if (options.page || (options.response === "stream" && !options.snapshot)) return [];
  if (options.events !== undefined) return [headerParameter("LastEventId")];
  if (method === "GET") {
    const range = options.response === "bytes" ? [headerParameter("Range")] : [];
    return [headerParameter("IfNoneMatch"), ...range];
  }
  // A query that is sent as POST, because its input is too long for a URL.
  if (definition.type === "query") return [];
  return [
    ...(takesIfMatch(operation, options) ? [ifMatchParameter(operation)] : []),
    headerParameter("IdempotencyKey"),
  ];
}
