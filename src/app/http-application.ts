import { Hono } from "hono";
import { cors } from "hono/cors";
import type { AppDeps } from "./deps.ts";
import { Failure, notFound, unavailable } from "../platform/errors.ts";
import { answerFailure } from "../api/rest/answer.ts";
import { restRoutes } from "../api/rest/dispatch.ts";
import { docsRoutes } from "../api/docs/routes.ts";
import { refuse, requestIdOf } from "../api/rest/create-context.ts";
import { probes } from "../api/health.ts";
import { logged } from "../api/request-log.ts";
import { measured, metricsRoutes } from "../api/operator/metrics-routes.ts";
import { documentRoutes } from "../api/openapi/routes.ts";
import { trpcRoutes } from "../api/trpc.ts";
import { appRouter } from "./router/index.ts";

/** The whole service as one fetch handler: probes, the document, REST, tRPC, the reference page, in this order. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const { metrics } = deps;
  if (metrics !== undefined) {
    app.use(measured(metrics, new Set(Object.keys(appRouter._def.procedures))));
  }
  app.use(logged(deps.log));
  app.route("/", probes(deps));
  if (metrics !== undefined && deps.config.ADMIN_KEY !== undefined) {
    app.route("/", metricsRoutes(metrics, deps));
  }
  if (deps.config.CORS_ORIGINS.length > 0) {
    app.use(cors({ origin: deps.config.CORS_ORIGINS, exposeHeaders: exposed, maxAge: 600 }));
  }
  app.use(async (c, next) => {
    if (!deps.stopping()) return next();
    const failure = unavailable("The service is shutting down.");
    return answerFailure(failure, requestIdOf(c.req.raw), deps, { Connection: "close" });
  });
  app.route("/api/v1", documentRoutes(appRouter, deps));
  app.route("/api/v1", restRoutes(appRouter, deps));
  app.route("/trpc", trpcRoutes(appRouter, deps));
  app.route("/docs", docsRoutes());
  app.notFound((c) => refuse(c, deps, notFound("path")));
  app.onError((error, c) => {
    const failure = error instanceof URIError ? new Failure("BAD_REQUEST") : error;
    return answerFailure(failure, requestIdOf(c.req.raw), deps);
  });
  return app;
}

const exposed = [
  "ETag",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotency-Replayed",
  "Content-Disposition",
  "Content-Range",
  "Accept-Ranges",
];
