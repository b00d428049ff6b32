import { tracked } from "@trpc/server";
import type { Context as HonoContext } from "hono";
import { Failure } from "../../platform/errors.ts";
import type { EventStream, Tracked } from "../../kernel/events/hub.ts";
import type { Context } from "../../kernel/request/context.ts";
import { connectionCloser } from "./connection.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** The reconnection time that clients are sent. */
const retryMs = 1_000;

const encoder = new TextEncoder();
const blocks = new WeakMap<object, Uint8Array>();

/** The bytes of an item. Items sent to many clients are encoded once. */
const encodeItem = ([id, item]: Tracked<{ type: string }>): Uint8Array =>
  getOrInsert(blocks, item, () =>
    encoder.encode(`id: ${id}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`),
  );

const heartbeat = (cursor: string) => tracked(cursor, { type: "heartbeat", cursor });

/**
 * Responds with server-sent events.
 *
 * Heartbeats carry the cursor, so that a client without events resumes at the current position.
 */
export function eventStreamResponse(
  c: HonoContext,
  eventStream: EventStream,
  { deps, requestMetadata }: Context,
  headers: Record<string, string>,
): Response {
  const responseHeaders = { ...headers, ...streamHeaders };
  if (c.req.method === "HEAD") {
    eventStream.close();
    return new Response(null, { headers: responseHeaders });
  }
  const started = performance.now();
  const items = eventStream[Symbol.asyncIterator]();
  let isCancelled = false;
  const logEnd = (error: unknown) => {
    const { requestId } = requestMetadata;
    const ms = Math.round(performance.now() - started);
    if (error instanceof Error && error.name !== "AbortError" && !(error instanceof Failure)) {
      deps.log.error({ err: error, requestId }, "stream failed");
    }
    deps.log.info({ requestId, ms, events: eventStream.count }, "stream ended");
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`));
      eventStream.cut = connectionCloser(c);
      eventStream.ping = () => {
        // A slow client gets no heartbeats: they would only fill its buffer.
        if ((controller.desiredSize ?? 0) <= 0) return;
        controller.enqueue(encodeItem(heartbeat(eventStream.cursor)));
      };
    },
    async pull(controller) {
      try {
        const { done, value } = await items.next();
        if (isCancelled) return;
        if (done !== true) return controller.enqueue(encodeItem(value));
        logEnd(undefined);
      } catch (error) {
        if (isCancelled) return;
        logEnd(error);
      }
      eventStream.ping = undefined;
      controller.close();
    },
    cancel() {
      isCancelled = true;
      eventStream.close();
      logEnd(undefined);
    },
  });
  return new Response(body, { headers: responseHeaders });
}

const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};
