import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";

/** How slowly clients may read: bytes per second over a window; 0 is any rate. */
export type ReadRate = { bytesPerSecond: number; windowMs: number };

/** How often the connections of a window are measured. */
const measuresPerWindow = 6;

/** The start of a window in which bytes of an answer were always waiting. */
type Mark = { at: number; taken: number };

/** Answers whose readers may take any time: streams of events. */
const timeless = new WeakSet<object>();

/** Lets the reader of an answer take any time. */
export const allowAnyRate = (response: object): void => void timeless.add(response);

/**
 * Closes connections whose clients read an answer more slowly than a rate.
 *
 * Otherwise the client decides how long the answer, its slot and its snapshot stay open.
 * A window begins anew whenever no bytes wait: a service that is slow itself closes nothing.
 */
export function closeSlowReaders(server: ServerType, rate: ReadRate): void {
  if (rate.bytesPerSecond === 0) return;
  const running = new Map<ServerResponse, Mark | undefined>();
  server.on("request", (_: IncomingMessage, response: ServerResponse) => {
    running.set(response, undefined);
    response.once("close", () => running.delete(response));
  });
  const measure = () => {
    const now = performance.now();
    for (const [response, mark] of running) {
      if (!timeless.has(response)) running.set(response, next(response, mark, now, rate));
    }
  };
  const timer = setInterval(measure, rate.windowMs / measuresPerWindow).unref();
  server.once("close", () => clearInterval(timer));
}

/** The window of an answer after a measure; closes its connection at the end of a slow one. */
function next(
  { socket }: ServerResponse,
  mark: Mark | undefined,
  at: number,
  { bytesPerSecond, windowMs }: ReadRate,
): Mark | undefined {
  if (socket === null || socket.writableLength === 0) return undefined;
  const taken = takenFrom(socket);
  if (mark === undefined) return { at, taken };
  const ms = at - mark.at;
  if (ms < windowMs) return mark;
  if (taken - mark.taken < (bytesPerSecond * ms) / 1_000) socket.destroy();
  return { at, taken };
}

/** What Node counts of a connection. `net.Socket` does not show how much of a write has left. */
type Handle = { bytesWritten: number; writeQueueSize: number };

const isHandle = (value: unknown): value is Handle =>
  typeof value === "object" &&
  value !== null &&
  "bytesWritten" in value &&
  typeof value.bytesWritten === "number" &&
  "writeQueueSize" in value &&
  typeof value.writeQueueSize === "number";

/** The bytes of a connection that the operating system has taken. */
function takenFrom(socket: Socket): number {
  const handle: unknown = "_handle" in socket ? socket._handle : undefined;
  return isHandle(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength;
}
