import { appRouter } from "../../../src/app/router/index.ts";
import { ruleOf, type Operation, type Rule } from "../../../src/contract/policy.ts";
import type { ResourceKind } from "../../../src/contract/vocabulary/resource-kinds.ts";
import { ancestorsOf } from "../../../src/kernel/access/resources.ts";
import { routesOf, type Route } from "../../../src/api/rest/routes.ts";
import { isStream } from "../../support/responses.ts";
import type { App } from "../../support/app.ts";
import { minimalDocument } from "../../transfer/exports/minimal.ts";

/** The two APIs. */
export const apis = ["REST", "tRPC"] as const;

/** One of the two APIs. */
export type Api = (typeof apis)[number];

/** The APIs of an operation: binary bodies exist only over REST. */
export const apisOf = (operation: Operation) =>
  routeOf(operation).options.requestBody === "bytes" ? (["REST"] as const) : apis;

/** Which APIs a test calls an operation over. */
export type ChooseApis = (operation: Operation) => readonly Api[];

/** One API for each operation, in turn: for the fast tests. The long tests call over both. */
export const oneApiOf: ChooseApis = (operation) => {
  const open = apisOf(operation);
  const turn = operations.indexOf(operation) % open.length;
  return open.slice(turn, turn + 1);
};

/** The nonce in the cookie of every call. */
export const browserNonce = "the nonce of the tests";

/** The input of an operation, ids and all. */
export type Input = Record<string, unknown>;

/** An answer as text, since an operation may answer a page. */
export type Answered = { status: number; text: string; headers: Headers };

const routes = new Map(routesOf(appRouter).map((route) => [route.name, route]));

/** Every operation of the router. */
export const operations = Object.keys(appRouter._def.procedures) as Operation[];

/** The REST route of an operation; throws when it has no route. */
export function routeOf(operation: Operation): Route {
  const route = routes.get(operation);
  if (route === undefined) throw new Error(`${operation} has no REST route.`);
  return route;
}

/** Whether an operation is a mutation. */
export const writes = (operation: Operation) => routeOf(operation).definition.type === "mutation";

/** The fields of an operation's input that hold public ids. */
export const idFields = (operation: Operation) =>
  Object.keys(routeOf(operation).schema.shape).filter((field) => /PublicIds?$/.test(field));

/** The kind of an operation's target, if it has one. */
export function kindOf(operation: Operation): ResourceKind | undefined {
  const rule: Rule = ruleOf(operation);
  return "needs" in rule ? rule.on : undefined;
}

/** Whether what an operation is about is a board or lies on one. */
export function isOnBoard(operation: Operation): boolean {
  const kind = kindOf(operation);
  return (
    kind === "board" ||
    // The views of the estates are of their boards.
    kind === "view" ||
    (kind !== undefined && ancestorsOf(kind).some((one) => one.kind === "board"))
  );
}

/** Calls an operation over one of the APIs. */
export async function send(
  app: App,
  api: Api,
  operation: Operation,
  input: Input,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const { url, method, body, type } =
    api === "REST" ? overRest(operation, input) : overTrpc(operation, input);
  const response = await app.fetch(
    new Request(`http://service${url}`, {
      method,
      headers: {
        Cookie: `wbs_connect=${browserNonce}`,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": type ?? "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
  if (isStream(response)) return firstOf(response);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** What a stream begins with; over tRPC it begins with 200 even when it is refused. */
async function firstOf({ body, status, headers }: Response): Promise<Answered> {
  let text = "";
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk);
    const refused = /event: serialized-error\ndata: (.*)\n/.exec(text)?.[1];
    if (refused !== undefined) {
      return { status: JSON.parse(refused).data.httpStatus, text: `{"error":${refused}}`, headers };
    }
    if (text.includes('"type":"ready"') && text.endsWith("\n\n")) break;
  }
  return { status, text, headers };
}

let sent = 0;

type Wire = { url: string; method: string; body?: string; type?: string };

function overRest(operation: Operation, input: Input): Wire {
  const { method, path, options } = routeOf(operation);
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  const url = `/api/v1${filled}`;
  const takesBytes = options.requestBody === "bytes";
  if (rest.size === 0 && !takesBytes) return { url, method };
  if (method !== "GET" && (method !== "DELETE" || options.inBody) && !takesBytes) {
    return { url, method, body: JSON.stringify(Object.fromEntries(rest)) };
  }
  const query = new URLSearchParams(
    [...rest].map(([field, value]): [string, string] => [field, String(value)]),
  );
  return {
    url: `${url}?${query.toString()}`,
    method,
    ...(takesBytes && { body: bytesFor(operation), type: "text/plain" }),
  };
}

/** Bytes that are accepted: no two are the same, and each begins as a file of JSON does. */
const bytesFor = (operation: Operation) =>
  operation === "workspace.import"
    ? JSON.stringify(minimalDocument(`Import ${++sent}`))
    : operation.startsWith("import.csv")
      ? `title\n${++sent}\n`
      : `{"bytes":${++sent}}`;

function overTrpc(operation: Operation, input: Input): Wire {
  const text = JSON.stringify(input);
  return writes(operation)
    ? { url: `/trpc/${operation}`, method: "POST", body: text }
    : { url: `/trpc/${operation}?input=${encodeURIComponent(text)}`, method: "GET" };
}

/** Runs calls a few at a time, so that each waits only briefly for a connection. */
export async function few<Result>(calls: (() => Promise<Result>)[]): Promise<Result[]> {
  const waiting = calls.entries();
  const results: Result[] = [];
  const worker = async () => {
    for (const [index, call] of waiting) results[index] = await call();
  };
  await Promise.all([worker(), worker(), worker(), worker(), worker(), worker()]);
  return results;
}
