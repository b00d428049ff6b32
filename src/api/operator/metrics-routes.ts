import { Hono, type Context, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "../../kernel/request/deps.ts";
import { checkAdminKey } from "../../kernel/procedures/admin-key.ts";
import type { Metrics } from "./metrics.ts";
import { answerFailure } from "../rest/answer.ts";
import { clientAddress, requestIdOf } from "../rest/create-context.ts";

/** Measures every request by the pattern of its path; calls over tRPC by the name of their procedure. */
export function measured(metrics: Metrics, procedures: ReadonlySet<string>): MiddlewareHandler {
  const routeOf = (c: Context) => {
    const called = /^\/trpc\/([\w.]+)$/.exec(c.req.path)?.[1];
    return called !== undefined && procedures.has(called) ? `/trpc/${called}` : routePath(c, -1);
  };
  return async (c, next) => {
    const answered = metrics.request();
    try {
      await next();
    } finally {
      answered(c.req.method, routeOf(c), c.res.status);
    }
  };
}

const answer = async (metrics: Metrics) => {
  const { text, contentType } = await metrics.read();
  return new Response(text, { headers: { "Content-Type": contentType } });
};

/** `/metrics` among the other paths: for the operator's key, as `X-Admin-Key` or as a bearer. */
export function metricsRoutes(metrics: Metrics, deps: Deps): Hono {
  const app = new Hono();
  app.get("/metrics", async (c) => {
    const bearer = /^Bearer +(.*\S)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const ip = clientAddress(c, deps.config.TRUST_PROXY);
    try {
      await checkAdminKey(deps, c.req.header("x-admin-key") ?? bearer, ip);
      return await answer(metrics);
    } catch (error) {
      return answerFailure(error, requestIdOf(c.req.raw), deps);
    }
  });
  return app;
}

/** `/metrics` on a port of its own, for whoever can reach that. */
export function metricsApp(metrics: Metrics): Hono {
  const app = new Hono();
  app.get("/metrics", () => answer(metrics));
  return app;
}
