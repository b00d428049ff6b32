import type { MiddlewareHandler } from "hono";
import { isFinal } from "./rest/final-response.ts";
import { encode, isCompressible } from "./rest/encoding.ts";

/**
 * Compresses the answers of reads with brotli or gzip, but no files and generated streams.
 *
 * Responses of writes can contain tokens and text of the request, so they are never compressed.
 */
export const compress: MiddlewareHandler = async (c, next) => {
  await next();
  if (isFinal(c.res)) return;
  const { headers, status } = c.res;
  if (c.req.method !== "GET" || status !== 200 || headers.has("Content-Disposition")) return;
  if (!isCompressible(headers.get("Content-Type"))) return;
  const vary = headers.get("Vary") ?? "";
  if (!/accept-encoding/i.test(vary)) headers.append("Vary", "Accept-Encoding");
  const accepted = c.req.header("accept-encoding");
  if (accepted === undefined || headers.has("Content-Encoding") || c.res.body === null) return;
  const { body, encoding } = await encode(accepted, new Uint8Array(await c.res.arrayBuffer()));
  c.res = new Response(body, c.res);
  if (encoding === undefined) return;
  c.res.headers.delete("Content-Length");
  c.res.headers.set("Content-Encoding", encoding);
};
