import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { requestIdOf } from "./rest/create-context.ts";
import pino, { type DestinationStream, type Logger } from "pino";

/** A logger that writes JSON and redacts fields that may contain credentials. */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "[redacted]",
      },
    },
    to ?? pino.destination(1),
  );

// A database error contains the whole row in `detail`.
const secretNames = [
  "password",
  "token",
  "secret",
  "authorization",
  "cookie",
  "apiKey",
  "key",
].concat("detail", "parameters", "values");

/** Logs each request with its route pattern. Paths and queries may contain credentials. */
export const logRequests =
  (log: Logger): MiddlewareHandler =>
  async (c, next) => {
    const started = performance.now();
    const requestId = requestIdOf(c.req.raw);
    c.header("X-Request-Id", requestId);
    await next();
    if (!log.isLevelEnabled("info")) return;
    log.info(
      {
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        requestId,
      },
      "request",
    );
  };
