import { promisify } from "node:util";
import { brotliCompress, type BrotliOptions, constants, gzip } from "node:zlib";
import type { Encoding } from "../../kernel/answers/answer.ts";

/** Smaller answers are sent as they are. */
export const minBytes = 1_024;

type Bytes = Uint8Array<ArrayBuffer>;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const toBrotli = promisify<Bytes, BrotliOptions, Buffer<ArrayBuffer>>(brotliCompress);
const toGzip = promisify<Bytes, Buffer<ArrayBuffer>>(gzip);

/** Compresses bytes in a thread of the pool. */
export const compressed = (bytes: Bytes, encoding: Encoding): Promise<Bytes> =>
  encoding === "br" ? toBrotli(bytes, brotli) : toGzip(bytes);

/** The preferred encoding that a client accepts, by its `Accept-Encoding` header. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const quality = new Map(
    accepted.split(",").map((part) => {
      const [name = "", weight = "q=1"] = part.split(";").map((text) => text.trim().toLowerCase());
      return [name, Number(weight.replace("q=", ""))];
    }),
  );
  const accepts = (name: string) => (quality.get(name) ?? quality.get("*") ?? 0) > 0;
  return accepts("br") ? "br" : accepts("gzip") ? "gzip" : undefined;
}
