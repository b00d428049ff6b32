import type { Context as HonoContext } from "hono";
import { digestOf } from "../../kernel/response-cache/cached-response.ts";
import { logHeaders, type Context, type ResponseMeta } from "../../kernel/request/context.ts";
import { markFinal } from "./protective-headers.ts";
import { encode } from "./encoding.ts";
import { recordUnsent } from "./connection.ts";
import { matchesEtag, notModifiedResponse } from "./etag.ts";

/** A body up to this size is sent in one write. */
const wholeBytes = 256 * 1024;
const partBytes = 64 * 1024;

/**
 * A response of bytes; a large body is written in parts.
 *
 * Slow readers are detected by completed writes: see `app/slow-readers.ts`.
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

type Headers = Record<string, string>;
type Body = string | Uint8Array<ArrayBuffer>;

/** Responds with JSON: with its ETag, its headers, and compressed if the client accepts that. */
export async function jsonResponse(
  c: HonoContext,
  body: Body,
  responseHeaders: Headers,
  { client, responseMeta: meta }: Pick<Context, "client" | "responseMeta">,
): Promise<Response> {
  const { method } = c.req;
  const isRead = method === "GET" || method === "HEAD";
  const headers: Headers = {
    ...responseHeaders,
    "Content-Type": "application/json",
    // Browsers may store reads only to revalidate them. Writes can return tokens and secrets.
    "Cache-Control": isRead ? "private, no-cache" : "no-store",
    ...logHeaders(meta),
  };
  if (isRead) headers["Vary"] = "Accept-Encoding";
  if (meta.cookie !== undefined) headers["Set-Cookie"] = meta.cookie;
  if (meta.replayed) headers["Idempotency-Replayed"] = "true";
  const tag = isRead ? readTag(meta, body) : writeTag(meta);
  if (tag !== undefined) headers["ETag"] = tag;
  if (isRead && tag !== undefined && matchesEtag(c.req.header("if-none-match"), tag)) {
    return markFinal(notModifiedResponse(headers));
  }
  if (method !== "GET") {
    recordUnsent(c, client, body.length);
    return markFinal(inParts(body, headers));
  }
  const encoded = await encode(c.req.header("accept-encoding"), body, meta.response);
  recordUnsent(c, client, encoded.body.length);
  if (encoded.encoding !== undefined) headers["Content-Encoding"] = encoded.encoding;
  return markFinal(inParts(encoded.body, headers));
}

/** The ETag of a write: the new version. */
const writeTag = ({ version }: ResponseMeta) =>
  version === undefined ? undefined : `"${version}"`;

/** The ETag of a read, `"version-digest"`: a response can change without the version. */
function readTag({ version, feedCursor, response }: ResponseMeta, body: Body): string {
  // The cursor moves with every event of the workspace; the resource does not.
  const withoutCursor = typeof body === "string" ? body.replace(feedCursor ?? "", "") : "";
  const digest = response?.digest ?? digestOf(withoutCursor);
  return version === undefined ? `"${digest}"` : `"${version}-${digest}"`;
}
