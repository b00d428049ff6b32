import { answeredTypes } from "../../kernel/request/rest.ts";
import { countCalls, partOf } from "../../kernel/request/count-calls.ts";
import type { AnyRouter } from "@trpc/server";
import { Hono, type Context as HonoContext } from "hono";
import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { ruleOf } from "../../contract/policy.ts";
import { fieldsByEachName } from "../../contract/vocabulary/other-names.ts";
import { ignoresQuery } from "../../contract/interface.ts";
import { failure, invalidInput, type InputIssue } from "../../platform/errors.ts";
import { errorResponse } from "./error-response.ts";
import {
  checkFileHeaders,
  checkFileType,
  isJsonWithoutFile,
} from "../../platform/http/body-headers.ts";
import { bodyBytes, publicBodyBytes, readJsonBody } from "../../platform/http/body.ts";
import { fileOfForm, isForm } from "../../platform/http/form-file.ts";
import { nameIn } from "../../platform/http/disposition.ts";
import { recordFailure, recordOperation } from "./call-log.ts";
import { asKanTakesIt } from "./dropped-fields.ts";
import { isThroughKan } from "../kan-paths.ts";
import { checkAccepts } from "./accept.ts";
import { connectionOf } from "./connection.ts";
import { createContext, readingOf, rejectRequest, requestIdOf } from "./create-context.ts";
import { methodsOf } from "./allowed-methods.ts";
import { fileResponse } from "./file-response.ts";
import { outerCallOf } from "./inner-calls.ts";
import { jsonResponse } from "./json-response.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { queryReader, searchOf } from "./query.ts";
import { routesOf, type Route } from "./routes.ts";
import { streamResponse } from "./stream-response.ts";
import { eventStreamResponse } from "./sse.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** The REST API: one route per procedure, which calls the procedure directly. */
export function restRoutes(router: AnyRouter, deps: Deps): Hono {
  const app = new Hono();
  const routes = new Map<string, Route[]>();
  for (const route of routesOf(router)) {
    for (const path of [route.path, route.options.alias ?? []].flat()) {
      getOrInsert(routes, patternOf(path), () => []).push(route);
    }
  }
  for (const route of routesOf(router)) {
    const { jsonAt } = route.options;
    if (jsonAt === undefined) continue;
    const handle = handler(route, deps);
    app.on(route.method, patternOf(jsonAt), (c, next) =>
      isJsonWithoutFile(c.req.raw.headers, new URL(c.req.url).searchParams) ? handle(c) : next(),
    );
  }
  for (const [pattern, served] of routes) {
    for (const route of served) {
      app.on(methodsOf(route.method, route.options), pattern, handler(route, deps));
    }
    const allow = served.flatMap(({ method, options }) => methodsOf(method, options)).join(", ");
    // Before the next pattern, or `GET /imports/workspace` would read an import.
    app.all(pattern, (c) => rejectRequest(c, deps, methodNotSupported(allow)));
  }
  return app;
}

/** A path as Hono writes it. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

function handler(route: Route, deps: Deps) {
  const { name, operation, method, definition, schema, path, options } = route;
  const limit = ruleOf(operation).on === "public" ? publicBodyBytes : bodyBytes;
  const protective = protectiveHeaders(deps.baseUrl);
  const takesBytes = options.requestBody === "bytes";
  const responses = answeredTypes(options);
  const waits = "wait" in schema.shape;
  const queryIsInput = takesBytes || method === "GET" || (method === "DELETE" && !options.inBody);
  const readQuery = queryReader(queryIsInput ? fieldsByEachName(schema) : {});
  return async (c: HonoContext): Promise<Response> => {
    // A HEAD request must not consume single-use parameters.
    if (options.page && c.req.method === "HEAD") {
      return rejectRequest(c, deps, methodNotSupported(method));
    }
    recordOperation(c.req.raw, name);
    const requestId = requestIdOf(c.req.raw);
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    const isStream = options.events !== undefined;
    const ctx = await createContext(
      c,
      deps,
      requestId,
      isStream ? c.req.query("ticket") : undefined,
    );
    ctx.sendsBytes = true;
    try {
      checkAccepts(responses, c.req.header("accept"));
      const outer = outerCallOf(c.req.raw);
      if (outer === undefined) await countCalls(ctx, [operation], headers);
      else Object.assign(ctx, partOf(outer));
      const getRawInput = once(async () => {
        if (takesBytes) checkFileHeaders(c.req.raw.headers);
        const hasJson = method !== "GET" && !takesBytes;
        const body = hasJson ? await readJsonBody(c.req.raw, readingOf(ctx, limit)) : {};
        const isKan = isThroughKan(c.req.raw);
        const query = readQuery(searchOf(c.req.url), isKan || ignoresQuery(operation));
        if (takesBytes) await readFile(c, ctx, query, "filename" in schema.shape);
        if (isStream) {
          delete query["ticket"];
          const lastEventId = c.req.header("last-event-id");
          if (lastEventId !== undefined) query["lastEventId"] = lastEventId;
        }
        if (isKan) return { ...query, ...asKanTakesIt(schema, body), ...c.req.param() };
        return assemble(c.req.param(), query, body, queryIsInput);
      });
      // Only for operations that wait: each signal costs an object that collects events.
      const signal = isStream || waits ? c.req.raw.signal : undefined;
      const run = () => definition.run({ ctx, getRawInput, signal });
      const close = () => void (headers["Connection"] = "close");
      const output = await (takesBytes ? deps.uploads.receive(ctx, c.req.raw, run, close) : run());
      return await respond(c, output, ctx, headers, protective);
    } catch (error) {
      recordFailure(c.req.raw, error);
      const replayed = ctx.responseMeta.replayed ? { "Idempotency-Replayed": "true" } : {};
      return errorResponse(error, requestId, deps, { ...headers, ...replayed }, { method, path });
    }
  };
}

/** Finds the file in the body, and its name where the query has none. */
async function readFile(
  c: HonoContext,
  ctx: Context,
  query: Record<string, unknown>,
  hasName: boolean,
): Promise<void> {
  const { requestBody } = ctx;
  if (requestBody === undefined) return;
  let filename = nameIn(c.req.header("content-disposition"));
  if (isForm(requestBody.contentType)) {
    const form = await fileOfForm(requestBody);
    ctx.requestBody = form.body;
    filename = form.filename;
  }
  if (!hasName) return;
  query["filename"] ??= filename;
  if (ctx.requestBody === requestBody) {
    const name = query["filename"];
    checkFileType(requestBody.contentType, typeof name === "string" ? name : undefined);
  }
}

/** Responds with the output of a call, or with its stream, file, redirect or page. */
async function respond(
  c: HonoContext,
  output: unknown,
  ctx: Context,
  headers: Record<string, string>,
  protective: Record<string, string>,
): Promise<Response> {
  const { deps, responseMeta, chargeBytes } = ctx;
  const { response, eventStream, file, page, redirect, stream } = responseMeta;
  if (eventStream !== undefined) return eventStreamResponse(c, eventStream, ctx, headers);
  const connection = connectionOf(c);
  if (file !== undefined) {
    const sending = { log: deps.log, requestId: headers["X-Request-Id"], connection };
    const payer = file.countedFor ?? ctx.client;
    return fileResponse(c.req.raw, { file, payer }, deps, headers, sending);
  }
  if (stream !== undefined) {
    return streamResponse(c.req.raw, stream, headers, { deps, chargeBytes, connection });
  }
  if (redirect !== undefined) return c.redirect(redirect, 303);
  if (page !== undefined) return c.html(`<!doctype html><p>${page}</p>`, 200, headers);
  const body = response?.bytes ?? JSON.stringify(output);
  await chargeBytes?.(body.length);
  return jsonResponse(c, body, { ...headers, ...protective }, ctx);
}

/** 405 with the methods that the path has. */
const methodNotSupported = (allow: string) =>
  failure("method_not_supported", `The path supports only ${allow}.`, {
    headers: { Allow: allow },
  });

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}

/** Merges path, query and body into one input. A field in the wrong part is an issue. */
function assemble(
  params: Record<string, string>,
  query: Record<string, unknown>,
  body: Record<string, unknown>,
  queryIsInput: boolean,
): Record<string, unknown> {
  const misplaced = (keys: string[], message: string) =>
    keys.map((key): InputIssue => ({ message, path: [key], code: "unrecognized_keys" }));
  const ofPath = (part: Record<string, unknown>) =>
    misplaced(
      Object.keys(part).filter((key) => Object.hasOwn(params, key)),
      "This field belongs in the path",
    );
  const issues = [
    ...(queryIsInput ? ofPath(query) : misplaced(Object.keys(query), "Unknown query parameter")),
    ...ofPath(body),
  ];
  if (issues.length > 0) throw invalidInput(issues);
  return { ...params, ...query, ...body };
}
