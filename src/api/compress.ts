import type { MiddlewareHandler } from "hono";
import { isComplete } from "./rest/complete.ts";
import { compressed, encodingFor, minBytes } from "./rest/encoding.ts";

const compressible = /^(?:text\/(?!event-stream)|application\/(?:json|yaml|x-ndjson))/;

/**
 * Compresses the answers of reads with brotli or gzip, but no files: clients do not notice that
 * a compressed stream was cut.
 *
 * Answers of writes can have tokens beside text of the request, so they are never compressed.
 */
export const compress: MiddlewareHandler = async (c, next) => {
  await next();
  if (isComplete(c.res)) return;
  const { headers, status } = c.res;
  const type = headers.get("Content-Type") ?? "";
  if (c.req.method !== "GET" || status !== 200 || !compressible.test(type)) return;
  if (headers.has("Content-Disposition")) return;
  headers.append("Vary", "Accept-Encoding");
  const encoding = encodingFor(c.req.header("accept-encoding"));
  if (encoding === undefined || headers.has("Content-Encoding") || c.res.body === null) return;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const isSmall = bytes.byteLength < minBytes;
  c.res = new Response(isSmall ? bytes : await compressed(bytes, encoding), c.res);
  if (isSmall) return;
  c.res.headers.delete("Content-Length");
  c.res.headers.set("Content-Encoding", encoding);
};
