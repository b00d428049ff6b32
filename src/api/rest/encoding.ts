import { pipeline } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from "node:zlib";
import { getOrInsert } from "../../platform/maps.ts";
import type { Encoding, ServedResponse } from "../../kernel/response-cache/cached-response.ts";

/** The encoding that `Accept-Encoding` prefers; undefined for no compression. */
export function preferredEncoding<Name extends string>(
  header: string | undefined,
  offered: readonly Name[],
): Name | undefined {
  if (header === undefined) return undefined;
  const qualities = new Map(
    header.split(",").map((part) => {
      const [name = "", weight = "q=1"] = part.split(";").map((text) => text.trim().toLowerCase());
      return [name, Number(weight.replace("q=", ""))];
    }),
  );
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const [best] = offered.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  if (best === undefined || !(qualityOf(best) > 0)) return undefined;
  return qualityOf(best) < (qualities.get("identity") ?? 0) ? undefined : best;
}

/** Smaller answers are not compressed. */
const minBytes = 1_024;
/** Our encodings, in the order of preference. */
const encodings: readonly Encoding[] = ["br", "gzip"];
const compressible = /^(?:text\/(?!event-stream)|application\/(?:json|yaml|x-ndjson))/;

/** Whether answers of a content type are compressed. */
export const isCompressible = (type: string | null | undefined): boolean =>
  compressible.test(type ?? "");

type Bytes = Uint8Array<ArrayBuffer>;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const toBrotli = promisify<Bytes, BrotliOptions, Buffer<ArrayBuffer>>(brotliCompress);
const toGzip = promisify<Bytes, Buffer<ArrayBuffer>>(gzip);

/** A body to send; `encoding` is undefined if it is not compressed. */
export type Encoded<Body> = { body: Body; encoding: Encoding | undefined };

/**
 * Compresses a body in a thread of the pool, if the client accepts that and it is not small.
 *
 * A shared answer is compressed once.
 */
export async function encode<Body extends string | Bytes>(
  accepted: string | undefined,
  body: Body,
  response?: ServedResponse,
): Promise<Encoded<Body | Bytes>> {
  const encoding = body.length < minBytes ? undefined : preferredEncoding(accepted, encodings);
  if (encoding === undefined) return { body, encoding };
  const compress = (): Promise<Bytes> => {
    const bytes: Bytes = typeof body === "string" ? Buffer.from(body) : body;
    return encoding === "br" ? toBrotli(bytes, brotli) : toGzip(bytes);
  };
  // Simultaneous readers of a shared answer wait for the same bytes.
  const compressed =
    response === undefined ? compress() : getOrInsert(response.compressed, encoding, compress);
  return { body: await compressed, encoding };
}

/** With a window of 256 KiB, so that a stream needs little memory. Each chunk is sent at once. */
const streamedBrotli = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  params: { ...brotli.params, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const streamedGzip = { flush: constants.Z_SYNC_FLUSH };

/**
 * Compresses a body as it is generated, if the client accepts that.
 *
 * If the body fails, the compressed stream does not end either.
 */
export function encodeStream(
  accepted: string | undefined,
  body: ReadableStream<Uint8Array>,
): Encoded<ReadableStream<Uint8Array>> {
  const encoding = preferredEncoding(accepted, encodings);
  if (encoding === undefined) return { body, encoding };
  const compressor =
    encoding === "br" ? createBrotliCompress(streamedBrotli) : createGzip(streamedGzip);
  // The reader of the compressor gets the errors.
  pipeline(body, compressor, () => undefined);
  return { body: ReadableStream.from(compressor), encoding };
}
