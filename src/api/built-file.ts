import { readFile, stat } from "node:fs/promises";
import type { Context, Handler } from "hono";
import { digestOf, type ServedResponse } from "../kernel/response-cache/cached-response.ts";
import { matchesEtag, notModifiedResponse } from "./rest/etag.ts";
import { encode, isCompressible } from "./rest/encoding.ts";

/** Makes an answer for many clients, which is compressed once. */
export const sharedResponse = (bytes: Uint8Array<ArrayBuffer>): ServedResponse => ({
  bytes,
  digest: digestOf(bytes),
  compressed: new Map(),
});

/** Sends such an answer, or 304 to a client that has it. */
export async function sendShared(
  c: Context,
  response: ServedResponse,
  headers: Record<string, string>,
): Promise<Response> {
  const tag = `"${response.digest}"`;
  const varies = isCompressible(headers["Content-Type"]);
  const vary = varies ? { Vary: "Accept-Encoding" } : {};
  const allHeaders = { ...headers, ...vary, ETag: tag, "Cache-Control": "no-cache" };
  if (matchesEtag(c.req.header("if-none-match"), tag)) return notModifiedResponse(allHeaders);
  if (!varies) return c.body(response.bytes, 200, allHeaders);
  const encoded = await encode(c.req.header("accept-encoding"), response.bytes, response);
  const encodingHeader =
    encoded.encoding === undefined ? {} : { "Content-Encoding": encoded.encoding };
  return c.body(encoded.body, 200, { ...allHeaders, ...encodingHeader });
}

/** Serves a page that never changes. */
export function fixedPage(page: string, headers: Record<string, string>): Handler {
  const response = sharedResponse(new Uint8Array(Buffer.from(page)));
  const allHeaders = { ...headers, "Content-Type": "text/html; charset=utf-8" };
  return (c) => sendShared(c, response, allHeaders);
}

/**
 * Serves a file of the build.
 *
 * Every client may read it, so it must cost little: it is read and compressed once.
 */
export function builtFile(file: URL, headers: Record<string, string>): Handler {
  let cached: { writtenAt: number; response: ServedResponse } | undefined;
  return async (c) => {
    const { mtimeMs: writtenAt } = await stat(file);
    if (cached?.writtenAt !== writtenAt) {
      cached = { writtenAt, response: sharedResponse(new Uint8Array(await readFile(file))) };
    }
    return sendShared(c, cached.response, headers);
  };
}
