import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { methodFinder } from "../api/rest/allowed-methods.ts";
import type { Config } from "../platform/config.ts";
import { appRouter } from "./router/index.ts";

const exposed = [
  "ETag",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotency-Replayed",
  "Last-Event",
  "Feed-Cursor",
  "Preference-Applied",
  "Content-Disposition",
  "Content-Range",
  "Accept-Ranges",
];

/** A page that this machine serves, such as `http://localhost:5173` of Vite. */
const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** CORS for the pages of `CORS_ORIGINS`; in development by default for pages of this machine. */
export function crossOrigin({
  CORS_ORIGINS,
  NODE_ENV,
}: Pick<Config, "CORS_ORIGINS" | "NODE_ENV">): MiddlewareHandler {
  const methodsAt = methodFinder(appRouter);
  const answer = cors({
    origin: (origin) =>
      CORS_ORIGINS.length === 0 || CORS_ORIGINS.includes(origin) ? origin : null,
    // A preflight offers the methods that its path has.
    allowMethods: (_, c) => methodsAt(c.req.path),
    exposeHeaders: exposed,
    maxAge: 600,
  });
  if (CORS_ORIGINS.length > 0) return answer;
  const isDevelopment = NODE_ENV !== "production";
  return (c, next) =>
    isDevelopment && local.test(c.req.header("Origin") ?? "") ? answer(c, next) : next();
}
