import type { Logger } from "pino";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "../../kernel/request/deps.ts";
import { checkAdminKey } from "../../kernel/request/admin-key.ts";
import type { Metrics } from "./metrics.ts";
import { errorResponse } from "../rest/error-response.ts";
import { securityHeaders } from "../rest/protective-headers.ts";
import { notFound } from "../../platform/errors.ts";
import { clientIp, requestIdOf } from "../rest/create-context.ts";

/** Measures requests by route pattern, and tRPC calls by procedure. */
export function measureRequests(
  metrics: Metrics,
  procedures: ReadonlySet<string>,
): MiddlewareHandler {
  const routeOf = (c: Context) => {
    const procedure = /^\/trpc\/([\w.]+)$/.exec(c.req.path)?.[1];
    return procedure !== undefined && procedures.has(procedure)
      ? `/trpc/${procedure}`
      : routePath(c);
  };
  return async (c, next) => {
    const finish = metrics.request();
    try {
      await next();
    } finally {
      finish(c.req.method, routeOf(c), c.res.status);
    }
  };
}

const metricsResponse = async (metrics: Metrics) => {
  const { text, contentType } = await metrics.read();
  return new Response(text, { headers: { "Content-Type": contentType } });
};

/** `/metrics` on the main port, for the admin key in `X-Admin-Key` or as a bearer token. */
export function metricsRoutes(metrics: Metrics, deps: Deps): Hono {
  const app = new Hono();
  app.get("/metrics", async (c) => {
    const bearer = /^Bearer +(.*\S)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const ip = clientIp(c, deps.config.TRUST_PROXY);
    try {
      await checkAdminKey(deps, c.req.header("x-admin-key") ?? bearer, ip);
      return await metricsResponse(metrics);
    } catch (error) {
      return errorResponse(error, requestIdOf(c.req.raw), deps);
    }
  });
  return app;
}

type MetricsDeps = { log: Logger; baseUrl: string };

/** `/metrics` on its own port, without authentication. */
export function metricsApp(metrics: Metrics, { log, baseUrl }: MetricsDeps): Hono {
  const app = new Hono();
  app.use(securityHeaders(baseUrl));
  app.onError((error, c) => errorResponse(error, requestIdOf(c.req.raw), { log }));
  app.notFound((c) => errorResponse(notFound("path"), requestIdOf(c.req.raw), { log }));
  app.get("/metrics", () => metricsResponse(metrics));
  return app;
}
