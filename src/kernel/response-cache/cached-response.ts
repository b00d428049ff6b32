import { hash } from "node:crypto";

/** How an answer can be compressed. */
export type Encoding = "br" | "gzip";

/** An answer as bytes of JSON, with its compressed forms as soon as they are made. */
export type ServedResponse = {
  bytes: Uint8Array<ArrayBuffer>;
  /** Differs when the answer differs, whatever its cursor. */
  digest: string;
  compressed: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>;
};

/** The value of an answer, which its HTTP batch may refuse. */
export const valueOf = (
  { httpBatch }: { httpBatch?: { parse(bytes: Uint8Array): unknown } | undefined },
  { bytes }: ServedResponse,
): unknown => (httpBatch === undefined ? JSON.parse(String(bytes)) : httpBatch.parse(bytes));

/** The digest of an answer without its cursor, for the ETag. */
export const digestOf = (text: string | Uint8Array) => hash("sha1", text, "base64url").slice(0, 16);

/** A cached answer. Its cursor can be renewed: the cursor moves with events elsewhere. */
export class CachedResponse {
  #served: ServedResponse;
  #cursor: string;

  /** `text` is JSON whose last value is the cursor; without one, `cursor` is empty. */
  constructor(text: string, cursor: string) {
    this.#cursor = cursor;
    const digest = digestOf(cursor === "" ? text : text.replace(cursor, ""));
    this.#served = { bytes: Buffer.from(text), digest, compressed: new Map() };
  }

  /** The bytes that the answer takes, with those of its compressed forms. */
  get size(): number {
    return 1_024 + 1.5 * this.#served.bytes.byteLength;
  }

  /** The answer with a cursor. */
  with(cursor: string): ServedResponse {
    if (cursor === this.#cursor) return this.#served;
    const { bytes, digest } = this.#served;
    const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = before.lastIndexOf(this.#cursor);
    const parts = [before.subarray(0, start), Buffer.from(cursor)];
    const end = before.subarray(start + this.#cursor.length);
    this.#served = { bytes: Buffer.concat([...parts, end]), digest, compressed: new Map() };
    this.#cursor = cursor;
    return this.#served;
  }
}
