import { randomBytes } from "node:crypto";

/** What has been stored: how many bytes, and their digest in hexadecimal. */
export type Stored = { size: number; sha256: string };

/** A part of a file: from one byte to another, both counted from 0 and included. */
export type Range = { start: number; end: number };

/** What a client is to send straight to the storage: one PUT of so many bytes of a type, within some seconds. */
export type Announced = { contentType: string; size: number; seconds: number };

/** Where the bytes of files are kept. A key comes from `newKey` and is used once: what it names is never changed. */
export type Files = {
  /** Stores what a source gives; 413 when that is more than `limit` bytes. Nothing counts until it is whole. */
  put(key: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<Stored>;
  /** Opens a file, or a part of it; throws when there is none. */
  get(key: string, range?: Range): Promise<ReadableStream<Uint8Array>>;
  /** Makes another file of the same bytes; throws when there is none. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a file, and whatever there is of one that was never finished; one that is not there is as good as removed. */
  remove(key: string): Promise<void>;
  /** Throws when the storage cannot be used. */
  ping(): Promise<void>;
  /** For storages that clients can send bytes to themselves. */
  direct?: {
    /** The address of the one PUT that was announced. */
    presign(key: string, announced: Announced): Promise<string>;
    /** Takes over what was sent, so that it cannot be sent anew; answers its size, or null when nothing came. */
    take(key: string): Promise<number | null>;
  };
};

/** A key that nobody can guess and that holds nothing of anybody's. */
export const newKey = () => randomBytes(20).toString("hex");

/** Throws for what `newKey` has not made: no other text may become a path. */
export function checkKey(key: string): void {
  if (!/^[0-9a-f]{40}$/.test(key)) throw new Error("This is not the key of a file.");
}

/** A stream of the web that reads one of Node's only as it is read itself. `Readable.toWeb` may throw where nobody can catch it when the reader goes away. */
export const streamOf = (source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  ReadableStream.from(source);
