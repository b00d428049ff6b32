import type { Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { isOpenPath } from "../api/oauth/paths.ts";
import { originRule } from "../api/origins.ts";
import { methodFinder } from "../api/rest/allowed-methods.ts";
import type { Config } from "../platform/config.ts";
import { appRouter } from "./router/index.ts";

const exposed = [
  "Allow",
  "ETag",
  "WWW-Authenticate",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotency-Replayed",
  "Last-Event",
  "Feed-Cursor",
  "Content-Disposition",
  "Content-Range",
  "Accept-Ranges",
];

/** CORS for the pages of `CORS_ORIGINS`; in development by default for pages of this machine. */
export function crossOrigin(
  config: Pick<Config, "CORS_ORIGINS" | "NODE_ENV">,
  app: Pick<Hono, "router">,
): MiddlewareHandler {
  const methodsAt = methodFinder(appRouter, (path) => isRead(app, path));
  const { CORS_ORIGINS } = config;
  const isAllowed = originRule(config);
  const response = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    // A preflight offers the methods that its path has.
    allowMethods: (_, c) => methodsAt(c.req.path),
    exposeHeaders: exposed,
    maxAge: 600,
  });
  return (c, next) => {
    const { method, path } = c.req;
    // These paths have a rule of their own.
    if (isOpenPath(path)) return next();
    if (CORS_ORIGINS.length === 0 && !isAllowed(c.req.header("Origin") ?? "")) return next();
    return method === "OPTIONS" && methodsAt(path).length === 0 ? next() : response(c, next);
  };
}

/** Whether a route of the application answers GET at a path. */
function isRead({ router }: Pick<Hono, "router">, path: string): boolean {
  const [handlers] = router.match("GET", path);
  return handlers.some(([[, route]]) => route.method === "GET" && !route.path.endsWith("/*"));
}
