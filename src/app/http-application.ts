import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { AppDeps } from "./deps.ts";
import { servesDemo } from "../platform/config.ts";
import { badRequest, failure, notFound, unavailable } from "../platform/errors.ts";
import { errorResponse } from "../api/rest/error-response.ts";
import { securityHeaders, isFinal } from "../api/rest/protective-headers.ts";
import { recordFailure } from "../api/rest/call-log.ts";
import { restRoutes } from "../api/rest/dispatch.ts";
import { demoRoutes } from "../api/demo/routes.ts";
import { llmsRoutes, docsRoutes } from "../api/docs/routes.ts";
import { routedPath } from "../api/rest/trailing-slash.ts";
import { rejectRequest, requestIdOf } from "../api/rest/create-context.ts";
import { kanErrors } from "../api/kan/errors.ts";
import { kanRoutes, pathOfInnerCall, pathThroughKan } from "../api/kan/routes.ts";
import { firstPage } from "../api/first-page.ts";
import { probeRoutes } from "../api/health.ts";
import { logRequests } from "../api/request-log.ts";
import { traceRequests } from "../api/trace-requests.ts";
import { measureRequests, metricsRoutes } from "../api/operator/metrics-routes.ts";
import { operatorPageRoutes } from "../api/operator/page.ts";
import { mcpRoutes } from "../api/mcp/routes.ts";
import { metadataRoutes } from "../api/oauth/metadata.ts";
import { oauthPageRoutes } from "../api/oauth/page.ts";
import { oauthRoutes } from "../api/oauth/routes.ts";
import { formPostRoutes } from "../api/sign-in/form-post.ts";
import { documentRoutes } from "../api/openapi/routes.ts";
import { trpcRoutes } from "../api/trpc.ts";
import { crossOrigin } from "./cors.ts";
import { appRouter } from "./router/index.ts";
import { encode, isCompressible } from "../api/rest/encoding.ts";

/**
 * Compresses the answers of reads with brotli or gzip, but no files and generated streams.
 *
 * Responses of writes can contain tokens and text of the request, so they are never compressed.
 */
const compress: MiddlewareHandler = async (c, next) => {
  await next();
  if (isFinal(c.res)) return;
  const { headers, status } = c.res;
  if (c.req.method !== "GET" || status !== 200 || headers.has("Content-Disposition")) return;
  if (!isCompressible(headers.get("Content-Type"))) return;
  const vary = headers.get("Vary") ?? "";
  if (!/accept-encoding/i.test(vary)) headers.append("Vary", "Accept-Encoding");
  const accepted = c.req.header("accept-encoding");
  if (accepted === undefined || headers.has("Content-Encoding") || c.res.body === null) return;
  const { body, encoding } = await encode(accepted, new Uint8Array(await c.res.arrayBuffer()));
  c.res = new Response(body, c.res);
  if (encoding === undefined) return;
  c.res.headers.delete("Content-Length");
  c.res.headers.set("Content-Encoding", encoding);
};

/** The service as one fetch handler: probes, document, REST, tRPC, MCP, reference page. */
export function createApp(deps: AppDeps): Hono {
  const hasKan = deps.config.KAN_API;
  const app = new Hono({ getPath: hasKan ? pathThroughKan : routedPath });
  const { metrics } = deps;
  if (metrics !== undefined) {
    app.use(measureRequests(metrics, new Set(Object.keys(appRouter._def.procedures))));
  }
  app.use(securityHeaders(deps.baseUrl));
  if (deps.config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) app.use(traceRequests);
  app.use(logRequests(deps));
  app.use(compress);
  // Before everything that answers, so that pages can read each error.
  app.use(crossOrigin(deps.config, app));
  if (hasKan) app.use(kanErrors);
  app.use(checkHead(deps));
  app.route("/", probeRoutes(deps));
  if (metrics !== undefined && deps.config.ADMIN_KEY !== undefined) {
    app.route("/", metricsRoutes(metrics, deps));
  }
  app.use(async (c, next) => {
    if (deps.stopping() !== "refusing") return next();
    const stopped = unavailable("shutting_down", "The service is shutting down.");
    recordFailure(c.req.raw, stopped);
    return errorResponse(stopped, requestIdOf(c.req.raw), deps, { Connection: "close" });
  });
  app.route("/api/v1", documentRoutes(appRouter, deps));
  const restApp = new Hono({ getPath: pathOfInnerCall });
  restApp.route("/api/v1", restRoutes(appRouter, deps));
  app.route("/", restApp);
  if (hasKan) app.route("/", kanRoutes(restApp, deps));
  app.route("/trpc", trpcRoutes(appRouter, deps));
  app.route("/", mcpRoutes(appRouter, deps));
  app.route("/", metadataRoutes(deps));
  app.route("/", oauthRoutes(deps));
  app.route("/", formPostRoutes(deps));
  app.route("/oauth", oauthPageRoutes(deps));
  app.route("/", llmsRoutes(appRouter, deps));
  app.route("/docs", docsRoutes(deps));
  app.route("/operator", operatorPageRoutes(deps));
  if (deps.config.NODE_ENV !== "production") app.route("/", firstPage(deps));
  if (servesDemo(deps.config)) app.route("/demo", demoRoutes(deps));
  app.notFound((c) => rejectRequest(c, deps, notFound("path")));
  app.onError((error, c) => {
    if (error instanceof URIError) {
      const message = "The path must be UTF-8 with percent-encoding.";
      return rejectRequest(c, deps, badRequest("invalid_request", message));
    }
    recordFailure(c.req.raw, error);
    return errorResponse(error, requestIdOf(c.req.raw), deps);
  });
  return app;
}

/** 400 for a head that a proxy may have read differently (RFC 9112); 417 for an expectation. */
const checkHead =
  (deps: AppDeps): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> =>
  async (c, next) => {
    // Tests call the application without a connection.
    const problem = c.env?.incoming === undefined ? undefined : problemOf(c.env.incoming);
    return problem === undefined
      ? next()
      : errorResponse(problem, requestIdOf(c.req.raw), deps, { Connection: "close" });
  };

function problemOf({ headers, httpVersion, rawHeaders }: HttpBindings["incoming"]) {
  const { expect } = headers;
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return failure("expectation_failed", "Expect must be 100-continue.");
  }
  const isHost = (name: string, index: number) => index % 2 === 0 && /^host$/i.test(name);
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) {
    return badRequest("invalid_request", "The request must have one Host header.");
  }
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.toLowerCase() === "chunked"
    ? undefined
    : badRequest("invalid_request", `Transfer-Encoding must be chunked, not ${coding}.`);
}
