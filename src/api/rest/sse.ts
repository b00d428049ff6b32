import type { Context as HonoContext } from "hono";
import { Failure } from "../../platform/errors.ts";
import type { EventStream, TrackedItem } from "../../kernel/events/hub.ts";
import type { Context } from "../../kernel/request/context.ts";

/** How long a client waits before it comes again. */
const retryMs = 1_000;

const encoder = new TextEncoder();
const blocks = new WeakMap<object, Uint8Array>();

/** An item as it goes over the wire; what many are told is written once. */
function blockOf([id, item]: TrackedItem): Uint8Array {
  const known = blocks.get(item);
  if (known !== undefined) return known;
  const block = encoder.encode(`id: ${id}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`);
  blocks.set(item, block);
  return block;
}

/** Answers a stream as server-sent events. Pings carry the cursor, so that a client for whom nothing came still does not begin where it began. */
export function answerStream(
  c: HonoContext,
  follower: EventStream,
  { deps, requestMetadata }: Context,
  headers: Record<string, string>,
): Response {
  const answered = { ...headers, ...streamHeaders };
  if (c.req.method === "HEAD") {
    follower.close();
    return new Response(null, { headers: answered });
  }
  const started = performance.now();
  const items = follower[Symbol.asyncIterator]();
  let isGone = false;
  const ended = (why: unknown) => {
    const { requestId } = requestMetadata;
    const ms = Math.round(performance.now() - started);
    if (why instanceof Error && why.name !== "AbortError" && !(why instanceof Failure)) {
      deps.log.error({ err: why, requestId }, "a stream failed");
    }
    deps.log.info({ requestId, ms, events: follower.count }, "stream ended");
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`));
      follower.cut = cutOf(c);
      follower.ping = () => {
        // A client that has not taken what it was sent cannot be told that the connection is alive.
        if ((controller.desiredSize ?? 0) <= 0) return;
        controller.enqueue(encoder.encode(`: ping\nid: ${follower.cursor}\n\n`));
      };
    },
    async pull(controller) {
      try {
        const { done, value } = await items.next();
        if (isGone) return;
        if (done !== true) return controller.enqueue(blockOf(value));
        ended(undefined);
      } catch (error) {
        if (isGone) return;
        ended(error);
      }
      follower.ping = undefined;
      controller.close();
    },
    cancel() {
      isGone = true;
      follower.close();
      ended(undefined);
    },
  });
  return new Response(body, { headers: answered });
}

const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

type Cuttable = { destroy(): unknown };
const isCuttable = (value: unknown): value is Cuttable =>
  typeof value === "object" && value !== null && "destroy" in value;

/** What ends the connection of a call, whether its client takes anything or not. */
export function cutOf(c: HonoContext): () => void {
  const env: unknown = c.env;
  const outgoing =
    typeof env === "object" && env !== null && "outgoing" in env ? env.outgoing : undefined;
  return () => {
    if (isCuttable(outgoing)) outgoing.destroy();
  };
}
