import type { Context, ServedStream } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { bytesPerCall } from "../../kernel/request/rate-limits.ts";
import { checkAccepts } from "./accept.ts";
import { encodeStream, isCompressible } from "./encoding.ts";
import { matchesEtag, notModifiedResponse } from "./etag.ts";
import type { ClientConnection } from "./connection.ts";
import { streamedBody } from "./streamed-body.ts";
import { attached } from "../../platform/http/disposition.ts";

type Call = Pick<Context, "chargeBytes"> & {
  deps: Pick<Deps, "log">;
  connection?: ClientConnection | undefined;
};

/** Streamed bytes are this many times cheaper than those of an answer in memory. */
const bytesPerChargedByte = 10;

/**
 * Responds with a generated download.
 *
 * A client that disconnects stops the generator.
 */
export async function streamResponse(
  request: Request,
  { filename, contentType, tag, open }: ServedStream,
  commonHeaders: Record<string, string>,
  { deps: { log }, chargeBytes, connection }: Call,
): Promise<Response> {
  checkAccepts([contentType.replace(/;.*$/, "")], request.headers.get("accept") ?? undefined);
  const varies = isCompressible(contentType);
  const headers = {
    ...commonHeaders,
    "Content-Type": contentType,
    "Content-Disposition": attached(filename),
    "Cache-Control": tag === undefined ? "private, no-store" : "private, no-cache",
    ...(tag === undefined ? {} : { ETag: `"${tag}"` }),
    ...(varies ? { Vary: "Accept-Encoding" } : {}),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
  };
  if (tag !== undefined && matchesEtag(request.headers.get("if-none-match"), `"${tag}"`)) {
    return notModifiedResponse(headers);
  }
  const cancelled = new AbortController();
  const chunks = await open(cancelled.signal);
  if (request.method === "HEAD") {
    cancelled.abort();
    return new Response(null, { headers });
  }
  const source = chunks[Symbol.asyncIterator]();
  let uncharged = 0;
  const generated = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done === true) return controller.close();
      uncharged += value.byteLength / bytesPerChargedByte;
      if (uncharged >= bytesPerCall) {
        await chargeBytes?.(uncharged);
        uncharged %= bytesPerCall;
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
  if (!varies) return new Response(body, { headers });
  const encoded = encodeStream(request.headers.get("accept-encoding") ?? undefined, body);
  const encodingHeader =
    encoded.encoding === undefined ? {} : { "Content-Encoding": encoded.encoding };
  return new Response(encoded.body, { headers: { ...headers, ...encodingHeader } });
}
