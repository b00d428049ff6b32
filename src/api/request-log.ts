import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "../kernel/request/deps.ts";
import { clientIp, requestIdOf } from "./rest/create-context.ts";
import pino, { type DestinationStream, type Logger } from "pino";
import { callLogOf } from "./rest/call-log.ts";
import { isFinal } from "./rest/protective-headers.ts";
import { openTraceId } from "../platform/tracing/tracing.ts";
import { quietOutages } from "./outage-log.ts";

/** A logger that writes JSON and redacts fields that may contain credentials. */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      hooks: { logMethod: quietOutages() },
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "[redacted]",
      },
    },
    to ?? pino.destination(1),
  );

/** Where the log goes: standard output, as text for people on a terminal, otherwise as JSON. */
export async function logDestination(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return pino.destination(1);
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    sync: true,
    singleLine: true,
    colorize: true,
    translateTime: "HH:MM:ss.l",
    ignore: requestFields.join(),
    messageFormat: (line, key) => messageOf(line, String(line[key])),
  });
}

const requestFields = ["status", "method", "route", "ms", "operation", "failure"];

/** A request as one line: `200 GET /api/v1/boards 12.3 ms board.list`. */
function messageOf(line: Record<string, unknown>, message: string): string {
  if (line["method"] === undefined || line["route"] === undefined) return message;
  return requestFields
    .filter((key) => line[key] !== undefined)
    .map((key) => `${String(line[key])}${key === "ms" ? " ms" : ""}`)
    .join(" ");
}

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

/** The routes that probes read every few seconds. */
export const probes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

/**
 * Logs each request with its route pattern. Paths and queries may contain credentials.
 *
 * A probe is logged only when its answer has changed.
 */
export function logRequests({ log, config }: Pick<Deps, "log" | "config">): MiddlewareHandler {
  const lastAnswers = new Map<string, string>();
  const isRepeated = (route: string, answer: string) => {
    if (!probes.has(route)) return false;
    const last = lastAnswers.get(route) ?? "200";
    lastAnswers.set(route, answer);
    return last === answer;
  };
  return async (c, next) => {
    const started = performance.now();
    const requestId = requestIdOf(c.req.raw);
    await next();
    if (!isFinal(c.res)) c.res.headers.set("X-Request-Id", requestId);
    if (!log.isLevelEnabled("info")) return;
    // The route that answered: others match the same path.
    const route = routePath(c);
    const { status } = c.res;
    const logged = callLogOf(c.req.raw);
    if (isRepeated(route, [status, logged.failure ?? []].flat().join(" "))) return;
    log.info(
      {
        method: c.req.method,
        route,
        status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        requestId,
        traceId: openTraceId(),
        address: config.LOG_ADDRESSES ? clientIp(c, config.TRUST_PROXY) : undefined,
        ...logged,
      },
      "request",
    );
  };
}
