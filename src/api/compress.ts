import { promisify } from "node:util";
import { brotliCompress, type BrotliOptions, constants, gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import type { Encoding, ServedAnswer } from "../kernel/answers/answer.ts";
import { acceptedEncodings } from "./rest/accepted-encodings.ts";
import { answerTo } from "./rest/served-answer.ts";

/** Smaller answers are sent as they are. */
const minBytes = 1_024;
const compressible = /^(?:text\/(?!event-stream)|application\/(?:json|yaml|x-ndjson))/;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const toBrotli = promisify<ArrayBuffer, BrotliOptions, Buffer<ArrayBuffer>>(brotliCompress);
const toGzip = promisify<ArrayBuffer, Buffer<ArrayBuffer>>(gzip);

/**
 * Compresses the answers of reads with brotli or gzip, but no files: clients do not notice that
 * a compressed stream was cut.
 *
 * Answers of writes can have tokens beside text of the request, so they are never compressed.
 */
export const compress: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  const type = headers.get("Content-Type") ?? "";
  if (c.req.method !== "GET" || status !== 200 || !compressible.test(type)) return;
  if (headers.has("Content-Disposition") || headers.has("Content-Encoding")) return;
  headers.append("Vary", "Accept-Encoding");
  const encoding = bestOf(c.req.header("accept-encoding") ?? "");
  if (encoding === undefined || c.res.body === null) return;
  const body = await compressed(c.res, encoding, answerTo(c.req.raw));
  const isCompressed = !(body instanceof ArrayBuffer);
  c.res = new Response(body, c.res);
  if (!isCompressed) return;
  c.res.headers.delete("Content-Length");
  c.res.headers.set("Content-Encoding", encoding);
};

/** The body of an answer, compressed; that of a cached answer is compressed once. */
async function compressed(response: Response, encoding: Encoding, answer?: ServedAnswer) {
  const known = answer?.compressed.get(encoding);
  if (known !== undefined) return known;
  const body = await whole(await response.arrayBuffer(), encoding);
  if (!(body instanceof ArrayBuffer)) answer?.compressed.set(encoding, body);
  return body;
}

/** Compresses an answer in a thread of the pool, unless it is small. */
async function whole(
  bytes: ArrayBuffer,
  encoding: Encoding,
): Promise<ArrayBuffer | Buffer<ArrayBuffer>> {
  if (bytes.byteLength < minBytes) return bytes;
  return encoding === "br" ? toBrotli(bytes, brotli) : toGzip(bytes);
}

/** The preferred encoding that the client accepts. */
function bestOf(accepted: string): Encoding | undefined {
  const accepts = acceptedEncodings(accepted);
  return accepts("br") ? "br" : accepts("gzip") ? "gzip" : undefined;
}
