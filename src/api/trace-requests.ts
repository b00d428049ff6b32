import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { inSpan } from "../platform/tracing/tracing.ts";
import { probes } from "./request-log.ts";
import { requestIdOf } from "./rest/create-context.ts";

/** Records each request until its response starts, in the trace of its `traceparent`; no probes. */
export const traceRequests: MiddlewareHandler = async (c, next) => {
  if (probes.has(c.req.path)) return next();
  const { method } = c.req;
  const [traceparent, tracestate] = [c.req.header("traceparent"), c.req.header("tracestate")];
  const continues = {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  };
  const attributes = { "http.request.method": method, "request.id": requestIdOf(c.req.raw) };
  return inSpan({ name: method, kind: "server", attributes, continues }, async (span) => {
    await next();
    if (span === undefined) return;
    const route = routePath(c);
    const { status } = c.res;
    span.rename(`${method} ${route}`);
    span.add({ "http.route": route, "http.response.status_code": status });
    if (status >= 500) span.fail();
  });
};
