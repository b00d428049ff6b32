/** A body up to this size is sent in one write. */
const wholeBytes = 256 * 1024;
const partBytes = 64 * 1024;

/**
 * A response of bytes; a large body is written in parts.
 *
 * A slow reader is found by the writes that have ended: see `app/slow-readers.ts`.
 */
export function inParts(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  if (body.length <= wholeBytes) return new Response(body, { headers });
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  let at = 0;
  const parts = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += partBytes)));
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(parts, { headers: { ...headers, "Content-Length": String(bytes.length) } });
}
