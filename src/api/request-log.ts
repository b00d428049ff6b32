import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { requestIdOf } from "./rest/create-context.ts";
import pino, { type DestinationStream, type Logger } from "pino";

/** JSON logs; what could hold a credential is left out wherever it stands. */
export const createLog = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "(left out)",
      },
    },
    to ?? pino.destination(1),
  );

// A fault of the database shows the whole row in its detail.
const secretNames = [
  "password",
  "token",
  "secret",
  "authorization",
  "cookie",
  "apiKey",
  "key",
].concat("detail", "parameters", "values");

/** One line a request: the pattern of its path, never the path or the query themselves, which may hold credentials. */
export const logged =
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
