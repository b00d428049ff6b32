import type { Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
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

/** A page that this machine serves, such as `http://localhost:5173` of Vite. */
const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** CORS for the pages of `CORS_ORIGINS`; in development by default for pages of this machine. */
export function crossOrigin(
  { CORS_ORIGINS, NODE_ENV }: Pick<Config, "CORS_ORIGINS" | "NODE_ENV">,
  app: Pick<Hono, "router">,
): MiddlewareHandler {
  const methodsAt = methodFinder(appRouter, (path) => isRead(app, path));
  const isDevelopment = NODE_ENV !== "production";
  const isAllowed = (origin: string) =>
    CORS_ORIGINS.length > 0 ? CORS_ORIGINS.includes(origin) : isDevelopment && local.test(origin);
  const answer = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    // A preflight offers the methods that its path has.
    allowMethods: (_, c) => methodsAt(c.req.path),
    exposeHeaders: exposed,
    maxAge: 600,
  });
  return (c, next) => {
    const { method, path } = c.req;
    if (CORS_ORIGINS.length === 0 && !isAllowed(c.req.header("Origin") ?? "")) return next();
    return method === "OPTIONS" && methodsAt(path).length === 0 ? next() : answer(c, next);
  };
}

/** Whether a route of the application answers GET at a path. */
function isRead({ router }: Pick<Hono, "router">, path: string): boolean {
  const [handlers] = router.match("GET", path);
  return handlers.some(([[, route]]) => route.method === "GET" && !route.path.endsWith("/*"));
}
