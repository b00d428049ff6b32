import { routesOf, type Route } from "../../src/api/rest/routes.ts";
import { batchable } from "../../src/app/router/batch.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";
import type { Schema } from "./generate.ts";

type Parameter = { $ref?: string; in: string; name: string; required?: boolean; schema: Schema };
type Documented = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};

/** An operation of the document, as the fuzzer needs it. */
export type Operation = {
  name: string;
  method: string;
  path: string;
  fields: { name: string; schema: Schema; required: boolean }[];
  queryFields: string[];
  hasBody: boolean;
  bodyType: string | undefined;
  /** Whether it answers a stream of events. */
  isStream: boolean;
  /** Whether it calls another service, whose failure it answers with 502. */
  callsProvider: boolean;
  /** The resource whose id a response has, such as `card` for `card.create`. */
  resource: string;
};

/** The operations whose response has the id of another resource. */
const resources: Record<string, string> = {
  "auth.apiKeys": "apiKey",
  "auth.createApiKey": "apiKey",
  "serviceAccount.list": "member",
  "serviceAccount.create": "member",
  "serviceAccount.keys": "apiKey",
  "serviceAccount.createKey": "apiKey",
  "auth.sessions": "session",
  "user.notifications": "notification",
  "user.cards": "card",
  "board.cards": "card",
  "list.cards": "card",
  "board.members": "member",
  "checklist.addItem": "checklistItem",
  "checklist.convertItem": "card",
  "checklist.updateItem": "checklistItem",
  "webhook.deliveries": "delivery",
  "webhook.delivery": "delivery",
  "workspace.events": "event",
  "workspace.audit": "event",
};

/** The operations that call a provider and whose 502 the document declares as `default`. */
const providerReads: ReadonlySet<string> = new Set([
  "import.trelloBoards",
  "integration.githubProjects",
]);

const routes = new Map(routesOf(appRouter).map((route) => [route.name, route]));

/** The route of an operation. */
export function routeOf(name: string): Route {
  const route = routes.get(name);
  if (route === undefined) throw new Error(`${name} has no route.`);
  return route;
}

/** Whether an operation is a mutation. */
export const isMutation = ({ definition }: Route) => definition.type === "mutation";

/** All operations of the document. */
export const operations: Operation[] = Object.entries(theDocument().paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Documented>).map(([method, documented]) =>
      read(method.toUpperCase(), path, documented),
    ),
);

/** The operations that may be in a batch. */
export const batchOperations = operations.filter(({ name }) => Object.hasOwn(batchable, name));

function read(method: string, path: string, documented: Documented): Operation {
  const parameters = (documented.parameters ?? []).filter((one) => one.$ref === undefined);
  const inputs = parameters.filter((one) => one.in === "path" || one.in === "query");
  const content = documented.requestBody?.content;
  const [bodyType] = Object.keys(content ?? {});
  const { properties = {}, required = [] } = content?.["application/json"]?.schema ?? {};
  const name = documented.operationId;
  return {
    name,
    method,
    path,
    fields: [
      ...inputs.map((one) => ({ ...one, required: one.required ?? one.in === "path" })),
      ...Object.entries(properties).map(([field, schema]) => ({
        name: field,
        schema,
        required: required.includes(field),
      })),
    ],
    queryFields: inputs.filter((one) => one.in === "query").map((one) => one.name),
    hasBody: bodyType !== undefined,
    bodyType,
    isStream: routeOf(name).options.events !== undefined,
    callsProvider: "502" in documented.responses || providerReads.has(name),
    resource: resources[name] ?? name.slice(0, name.indexOf(".")),
  };
}
