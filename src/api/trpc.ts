import { countCalls } from "../kernel/request/count-calls.ts";
import type { AnyRouter } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono, type Context as HonoContext } from "hono";
import { isOperation, ruleOf } from "../contract/policy.ts";
import type { Context } from "../kernel/request/context.ts";
import type { Deps } from "../kernel/request/deps.ts";
import { Failure } from "../platform/errors.ts";
import { bodyBytes, publicBodyBytes, readJsonText } from "../platform/http/body.ts";
import { errorResponse } from "./rest/error-response.ts";
import { recordFailure, recordOperation } from "./rest/call-log.ts";
import { createContext, readingOf, requestIdOf } from "./rest/create-context.ts";
import { HttpBatch, maxBatchCalls } from "../kernel/request/http-batch.ts";
import { failureOf } from "../kernel/request/error-response.ts";
import { logHeaders } from "../kernel/request/context.ts";
import { chargeResponse, connectionCloser } from "./rest/connection.ts";
import { searchOf } from "./rest/query.ts";

/** The tRPC endpoint, with batching. Each call of a batch counts toward the rate limit. */
export function trpcRoutes(router: AnyRouter, deps: Deps): Hono {
  const app = new Hono();
  app.all("*", async (c) => {
    let charging: Pick<Context, "chargeBytes" | "client"> | undefined;
    let isCounted = false;
    let limit: unknown;
    const requestId = requestIdOf(c.req.raw);
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    const { request, use } = lazyRequest(c.req.raw);
    const response = await fetchRequestHandler({
      endpoint: "/trpc",
      req: request,
      router,
      maxBatchSize: maxBatchCalls,
      async createContext({ info }) {
        const calls = namesOf(info);
        recordOperation(c.req.raw, calls.filter(Boolean).join());
        const ticket = isStream(info) ? c.req.query("ticket") : undefined;
        const ctx = await createContext(c, deps, requestId, ticket);
        isCounted = true;
        await countCalls(ctx, calls, headers).catch((error: unknown) => {
          limit = error;
          throw error;
        });
        searchOf(c.req.url);
        use(ctx);
        charging = { chargeBytes: ctx.chargeBytes, client: ctx.client };
        if (info.calls.length === 1) return ctx;
        return { ...ctx, httpBatch: new HttpBatch(ctx.chargeBytes) };
      },
      responseMeta({ ctx, errors, info }) {
        if (ctx?.responseMeta.eventStream !== undefined) {
          ctx.responseMeta.eventStream.cut = connectionCloser(c);
          headers["X-Accel-Buffering"] = "no";
        }
        Object.assign(headers, ...errors.flatMap(headersOf));
        // tRPC sets no content type when it cannot read the request.
        if (ctx === undefined && errors.length > 0) headers["Content-Type"] = "application/json";
        // The calls of a batch share the headers, which can name the events of one call only.
        const meta = ctx?.responseMeta ?? {};
        if (info?.calls.length === 1) Object.assign(headers, logHeaders(meta));
        if (meta.replayed) headers["Idempotency-Replayed"] = "true";
        if (meta.cookie !== undefined) headers["Set-Cookie"] = meta.cookie;
        return { headers };
      },
      onError({ error, path }) {
        recordFailure(c.req.raw, error);
        if (failureOf(error).status === 500)
          deps.log.error({ err: error, requestId, path }, "request failed");
      },
    });
    if (!isCounted) return countUnreadable(c, deps, response);
    if (limit !== undefined && hidesLimit(response)) return errorResponse(limit, requestId, deps);
    // A stream passes uncounted.
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return charging === undefined || !isJson ? response : chargeResponse(c, charging, response);
  });
  return app;
}

/** The operations of a request. An unknown name is any text, which may be a credential. */
const namesOf = ({ calls }: TRPCRequestInfo) =>
  calls.map(({ path }) => (isOperation(path) ? path : undefined));

const isStream = ({ calls: [call, ...others] }: TRPCRequestInfo) =>
  others.length === 0 && call?.procedure?._def.type === "subscription";

/** Whether tRPC answered without the context's error, because it found no such procedure. */
const hidesLimit = ({ status }: Response) => status === 404 || status === 405;

/** Counts a request that tRPC cannot read, for which it makes no context; 429 past the limit. */
async function countUnreadable(c: HonoContext, deps: Deps, response: Response): Promise<Response> {
  const requestId = requestIdOf(c.req.raw);
  try {
    const headers = await countCalls(await createContext(c, deps, requestId));
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  } catch (limit) {
    return errorResponse(limit, requestId, deps);
  }
}

/** The headers of a failure, which tRPC may have wrapped. */
const headersOf = (error: Error) =>
  [error, error.cause].map((fault) => (fault instanceof Failure ? fault.headers : {}));

/**
 * A request whose body is read when a call needs its input, as REST reads it.
 *
 * The calls were counted and authenticated before: no one else can make the service read bodies.
 */
function lazyRequest(original: Request) {
  const { url, method, signal } = original;
  const names = decodeURIComponent(new URL(url).pathname).split("/").at(-1)?.split(",") ?? [];
  const isPublic = names.some((name) => isOperation(name) && ruleOf(name).on === "public");
  const limit = isPublic ? publicBodyBytes : bodyBytes;
  let ctx: Context | undefined;
  const text = () => {
    if (ctx === undefined) throw new Error("The calls have no context.");
    return readJsonText(original, readingOf(ctx, limit));
  };
  // Other content types are refused when the body is read, after path and method are checked.
  const headers = new Headers(original.headers);
  headers.set("Content-Type", "application/json");
  const request = Object.defineProperties(new Request(url, { method, headers, signal }), {
    text: { value: text },
  });
  return { request, use: (callContext: Context) => void (ctx = callContext) };
}
