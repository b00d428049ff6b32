import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import { requestIdOf } from "../api/rest/create-context.ts";
import { errorResponse } from "../api/rest/error-response.ts";
import { protectiveHeaders, isFinal } from "../api/rest/protective-headers.ts";
import type { AppDeps } from "./deps.ts";
import { answerConnectionErrors, answerRequestError } from "./connection-errors.ts";
import { allowAnyRate, closeSlowReaders } from "./slow-readers.ts";
import { listenError } from "./free-port.ts";
import type { Config } from "../platform/config.ts";

/** How often idle connections are closed during shutdown. */
const idleCheckMs = 50;
/** How long an idle connection stays open. Load balancers use 60 s: ours must be longer. */
const keepAliveTimeout = 75_000;
/**
 * Deadline for the headers. Bodies have deadlines where they are read (`platform/http/body.ts`).
 */
const headersTimeout = 15_000;
/** Deadline for a whole request: 2 GiB at 25 kB/s. */
const requestTimeout = 24 * 60 * 60_000;
const connectionsCheckingInterval = 5_000;
/** How long a client may leave its answer unread, or read it too slowly. */
const unreadTimeout = 60_000;

/** The port that a server listens on. */
export const portOf = (server: Server) => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Answers a request. */
export type Fetch = Parameters<typeof getRequestListener>[0];

/** Tracks requests in flight. `idle` resolves when those from before the shutdown have ended. */
export function trackRequests(fetch: Fetch, stopping: () => boolean) {
  const running = new Set<Promise<unknown>>();
  const counting: Fetch = (request, env) => {
    if (stopping()) return fetch(request, env);
    const response = Promise.resolve(fetch(request, env));
    running.add(response);
    return response.finally(() => running.delete(response));
  };
  const idle = (deadline: AbortSignal) =>
    Promise.race([Promise.allSettled(running), once(deadline, "abort")]);
  return { fetch: counting, idle };
}

/**
 * Closes a connection that makes no progress while bytes of an answer wait, or between requests.
 *
 * Otherwise the answers of a client that does not read stay in memory.
 */
function closeUnread(server: Server, ms: number): void {
  const busy = new WeakSet<Duplex>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
  });
  server.setTimeout(ms);
  server.on("timeout", (socket: Duplex) => {
    if (socket.writableLength > 0 || !busy.has(socket)) socket.destroy();
  });
}

/** Answers what a handler throws, and logs it with the id of its request. */
const catchErrors =
  (fetch: Fetch, log: Pick<Logger, "error">, headers: Record<string, string>): Fetch =>
  async (request, env) => {
    try {
      return await fetch(request, env);
    } catch (error) {
      return errorResponse(error, requestIdOf(request), { log }, headers);
    }
  };

/** Lets clients take any time for streams of events: they wait for what happens. */
const recordStreams =
  (fetch: Fetch): Fetch =>
  async (request, env) => {
    const response: unknown = await fetch(request, env);
    // A complete response is JSON or a file. Reading its headers would copy them.
    const isStream =
      response instanceof Response &&
      !isFinal(response) &&
      response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream && "outgoing" in env) allowAnyRate(env.outgoing);
    return response;
  };

type Address = Pick<Config, "HOST" | "PORT" | "MIN_READ_RATE"> & Pick<AppDeps, "baseUrl">;

/** Starts a server and resolves when it listens. */
export function listen(
  fetch: Fetch,
  { HOST, PORT, MIN_READ_RATE, baseUrl }: Address,
  log: Pick<Logger, "error">,
  unreadMs = unreadTimeout,
) {
  const protective = protectiveHeaders(baseUrl);
  return new Promise<Server>((resolve, reject) => {
    const serverOptions = {
      keepAliveTimeout,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval,
      // The application refuses it instead: Node's answer would have no body.
      requireHostHeader: false,
    };
    const handle = getRequestListener(recordStreams(catchErrors(fetch, log, protective)), {
      hostname: HOST,
      errorHandler: answerRequestError(log, protective),
    });
    const server = createServer(serverOptions, (...request) => void handle(...request));
    server.listen(PORT, HOST, () => resolve(server));
    answerConnectionErrors(server, protective);
    closeUnread(server, unreadMs);
    closeSlowReaders(server, { bytesPerSecond: MIN_READ_RATE, windowMs: unreadMs });
    server.once("error", (error) => reject(listenError(error, HOST, PORT)));
  });
}

/** Stops listening and closes connections as they become idle, or all when the signal aborts. */
export function closeServer(server: Server, deadline: AbortSignal) {
  return new Promise<void>((resolve) => {
    const closeAll = () => server.closeAllConnections();
    // A connection becomes idle when its last response has been sent.
    const closeIdle = () => server.closeIdleConnections();
    const timer = setInterval(closeIdle, idleCheckMs);
    server.close(() => {
      clearInterval(timer);
      resolve();
    });
    closeIdle();
    if (deadline.aborted) closeAll();
    else deadline.addEventListener("abort", closeAll, { once: true });
  });
}
