import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** How slowly clients may read: bytes per second over a window; 0 is any rate. */
export type ReadRate = { bytesPerSecond: number; windowMs: number };

/** How often the connections of a window are measured. */
const measuresPerWindow = 30;

/** A window in which bytes were always waiting: its start, the bytes sent by then, and lately. */
type Mark = { at: number; sent: number; lastSent: number };

/** Answers whose readers may take any time: streams of events. */
const timeless = new WeakSet<object>();

/** Lets the reader of an answer take any time. */
export const allowAnyRate = (response: object): void => void timeless.add(response);

/**
 * Closes connections whose clients read an answer more slowly than a rate.
 *
 * Otherwise the client decides how long the answer, its slot and its snapshot stay open.
 * A window restarts whenever no bytes are waiting, so a slow service closes nothing. It ends with a
 * write, or when all bytes of the write would have left at the rate.
 */
export function closeSlowReaders(server: Server, rate: ReadRate): void {
  if (rate.bytesPerSecond === 0) return;
  const running = new Map<ServerResponse, Mark | undefined>();
  server.on("request", (_: IncomingMessage, response: ServerResponse) => {
    running.set(response, undefined);
    response.once("close", () => running.delete(response));
  });
  const measure = () => {
    const now = performance.now();
    for (const [response, mark] of running) {
      if (!timeless.has(response)) running.set(response, advance(response, mark, now, rate));
    }
  };
  const timer = setInterval(measure, rate.windowMs / measuresPerWindow).unref();
  server.once("close", () => clearInterval(timer));
}

/** Advances the window of an answer; closes the connection at the end of a slow one. */
function advance(
  { socket }: ServerResponse,
  mark: Mark | undefined,
  at: number,
  { bytesPerSecond, windowMs }: ReadRate,
): Mark | undefined {
  if (socket === null || socket.writableLength === 0) return undefined;
  // The bytes of a write are counted when all of them have left.
  const sent = socket.bytesWritten - socket.writableLength;
  if (mark === undefined) return { at, sent, lastSent: sent };
  const ms = at - mark.at;
  if (ms < windowMs) return { ...mark, lastSent: sent };
  const hasEnded = sent > mark.lastSent;
  const sentByNow = hasEnded ? sent : socket.bytesWritten;
  if (sentByNow - mark.sent < (bytesPerSecond * ms) / 1_000) socket.destroy();
  return hasEnded ? { at, sent, lastSent: sent } : mark;
}
