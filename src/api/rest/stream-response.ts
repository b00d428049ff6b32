import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { bytesPerCall } from "../../kernel/request/rate-limits.ts";
import type { ServedStream } from "../../kernel/request/responses.ts";
import { preferredEncoding } from "./accepted-encodings.ts";
import { matchesEtag, notModified } from "./etag.ts";
import type { Connection } from "./connection.ts";
import { streamedBody } from "./streamed-body.ts";
import { attached } from "../../platform/http/disposition.ts";

type Call = Pick<Context, "weigh"> & {
  deps: Pick<Deps, "log">;
  connection?: Connection | undefined;
};

/** A byte of a stream is cheaper than one of an answer in memory, by this factor. */
const cheaper = 10;

/**
 * Responds with a generated download.
 *
 * A client that disconnects stops the generator.
 */
export async function streamResponse(
  request: Request,
  { filename, contentType, tag, isCompressible = false, open }: ServedStream,
  commonHeaders: Record<string, string>,
  { deps: { log }, weigh, connection }: Call,
): Promise<Response> {
  const headers = {
    ...commonHeaders,
    "Content-Type": contentType,
    "Content-Disposition": attached(filename),
    "Cache-Control": tag === undefined ? "private, no-store" : "private, no-cache",
    ...(tag === undefined ? {} : { ETag: `"${tag}"` }),
    ...(isCompressible ? { Vary: "Accept-Encoding" } : {}),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
  };
  if (tag !== undefined && matchesEtag(request.headers.get("if-none-match"), `"${tag}"`)) {
    return notModified(headers);
  }
  const cancelled = new AbortController();
  const chunks = await open(cancelled.signal);
  if (request.method === "HEAD") {
    cancelled.abort();
    return new Response(null, { headers });
  }
  const source = chunks[Symbol.asyncIterator]();
  let unweighed = 0;
  const generated = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done === true) return controller.close();
      unweighed += value.byteLength / cheaper;
      if (unweighed >= bytesPerCall) {
        await weigh?.(unweighed);
        unweighed %= bytesPerCall;
      }
      controller.enqueue(value);
    },
    async cancel() {
      cancelled.abort();
      await source.return?.().catch(() => undefined);
    },
  });
  const requestId = commonHeaders["X-Request-Id"];
  const body = await streamedBody(generated, { log, requestId, connection });
  const accepted = request.headers.get("accept-encoding") ?? undefined;
  if (!isCompressible || preferredEncoding(accepted, ["gzip"]) === undefined)
    return new Response(body, { headers });
  // A compressor that streams: memory does not grow with the answer.
  const compressed = body.pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { headers: { ...headers, "Content-Encoding": "gzip" } });
}
