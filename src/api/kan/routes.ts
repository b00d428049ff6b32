import { Hono, type Context as HonoContext } from "hono";
import { countCalls } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { readLarge } from "../../kernel/request/expensive-work.ts";
import { failure } from "../../platform/errors.ts";
import { jsonInTurns } from "../../platform/json/json-in-turns.ts";
import { kanApi, withoutMount } from "../kan-paths.ts";
import { errorResponse } from "../rest/error-response.ts";
import { inParts } from "../rest/json-response.ts";
import { recordFailure } from "../rest/call-log.ts";
import { createContext, rejectRequest, requestIdOf } from "../rest/create-context.ts";
import { recordUnsent } from "../rest/connection.ts";
import { routedPath } from "../rest/trailing-slash.ts";
import { Refused, RestCalls } from "./rest-calls.ts";
import { translations, type Translation } from "./table.ts";

const patterns = translations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Whether a request is answered by a translation. HEAD is a read, and PATCH does what PUT does. */
function isTranslated(method: string, path: string): boolean {
  const routedMethod = method === "HEAD" ? "GET" : method === "PATCH" ? "PUT" : method;
  return patterns.some(
    (translated) => translated.method === routedMethod && translated.pattern.test(path),
  );
}

/** The path to route by: requests that the mount does not translate go to the REST API. */
export function pathThroughKan(request: Request): string {
  const path = routedPath(request);
  if (!path.startsWith(`${kanApi}/`)) return path;
  const inApi = path.slice(kanApi.length).replace(/\/$/, "");
  return isTranslated(request.method, inApi) ? `${kanApi}${inApi}` : `/api/v1${inApi}`;
}

/** The path to route the inner calls of a translation by. */
export const pathOfInnerCall = (request: Request): string => withoutMount(routedPath(request));

/** The operations whose answers have another shape in Kan. `rest` answers the REST API. */
export function kanRoutes(rest: Hono, deps: Deps): Hono {
  const app = new Hono();
  for (const translation of translations) {
    const methods = translation.method === "PUT" ? ["PUT", "PATCH"] : [translation.method];
    const pattern = translation.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(methods, `${kanApi}${pattern}`, (c) => answer(c, translation, rest, deps));
  }
  return app;
}

async function answer(c: HonoContext, { translate }: Translation, rest: Hono, deps: Deps) {
  const requestId = requestIdOf(c.req.raw);
  if (translate === undefined) return rejectRequest(c, deps, notImplemented());
  const headers: Record<string, string> = {};
  try {
    const ctx = await createContext(c, deps, requestId);
    await countCalls(ctx, [undefined], headers);
    const calls = new RestCalls(c, rest, ctx, headers);
    const make = async () => jsonInTurns(await translate(calls), calls.turns);
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const body = await (isRead ? readLarge(ctx, make) : make());
    recordUnsent(c, ctx.client, body.length);
    return inParts(body, {
      ...headers,
      "Content-Type": "application/json",
      "Cache-Control": isRead ? "private, no-cache" : "no-store",
      "X-Request-Id": requestId,
    });
  } catch (error) {
    if (error instanceof Refused) return withHeaders(error.response, headers);
    recordFailure(c.req.raw, error);
    return errorResponse(error, requestId, deps, headers);
  }
}

/** The response of a refused call, with the headers of the request's limit. */
function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

/** 501 for operations that only Kan has. */
const notImplemented = () =>
  failure("not_implemented", "This service does not have this operation of Kan. See docs/kan.md.");
