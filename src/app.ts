import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Deps } from "./deps.ts";
import { Failure, notFound, unavailable } from "./errors.ts";
import { answerFailure } from "./http/answer.ts";
import { restFace } from "./http/dispatch.ts";
import { docsFace } from "./http/docs.ts";
import { refuse, requestIdOf } from "./http/enter.ts";
import { probes } from "./http/health.ts";
import { logged } from "./http/log.ts";
import { measured, metricsFace } from "./http/metrics-face.ts";
import { documentFace } from "./http/openapi.ts";
import { trpcFace } from "./http/trpc-face.ts";
import { appRouter } from "./router.ts";

/** The whole service as one fetch handler: probes, the document, REST, tRPC, the reference page, in this order. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  const { metrics } = deps;
  if (metrics !== undefined) {
    app.use(measured(metrics, new Set(Object.keys(appRouter._def.procedures))));
  }
  app.use(logged(deps.log));
  app.route("/", probes(deps));
  if (metrics !== undefined && deps.config.ADMIN_KEY !== undefined) {
    app.route("/", metricsFace(metrics, deps));
  }
  if (deps.config.CORS_ORIGINS.length > 0) {
    app.use(cors({ origin: deps.config.CORS_ORIGINS, exposeHeaders: exposed, maxAge: 600 }));
  }
  app.use(async (c, next) => {
    if (!deps.stopping()) return next();
    const failure = unavailable("The service is shutting down.");
    return answerFailure(failure, requestIdOf(c.req.raw), deps, { Connection: "close" });
  });
  app.route("/api/v1", documentFace(appRouter, deps));
  app.route("/api/v1", restFace(appRouter, deps));
  app.route("/trpc", trpcFace(appRouter, deps));
  app.route("/docs", docsFace());
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
