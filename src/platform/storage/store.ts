import { randomBytes } from "node:crypto";
import { codeOf } from "../error-code.ts";

/** The size and SHA-256 digest, in hexadecimal, of a stored file. */
export type StoredContent = { size: number; sha256: string };

/** A byte range; both ends are zero-based and inclusive. */
export type Range = { start: number; end: number };

/** A direct upload by a client: one PUT of this type and size, within a number of seconds. */
export type DirectUpload = { contentType: string; size: number; seconds: number };

/** A file storage. Keys come from `newStorageKey` and are used once: stored files are immutable. */
export type Files = {
  /** Stores a file; 413 over `limit` bytes. A file becomes visible when it is complete. */
  put(key: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<StoredContent>;
  /** Opens a file or a range of it; throws when it does not exist. */
  get(key: string, range?: Range): Promise<ReadableStream<Uint8Array>>;
  /** Copies a file; throws when it does not exist. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a file, complete or not; does nothing when it does not exist. */
  remove(key: string): Promise<void>;
  /** Throws when the storage is not usable, or has too little free space. */
  ping(): Promise<void>;
  /** The free bytes of a storage that is a local disk. */
  freeBytes?(): Promise<number>;
  /** Direct uploads, where the storage supports them. */
  direct?: {
    /** Signs the URL of a direct upload. */
    presign(key: string, upload: DirectUpload): Promise<string>;
    /** Moves an uploaded file to where clients cannot write; answers its size, null without one. */
    take(key: string): Promise<number | null>;
  };
};

const missingCode = "ENOENT";

/** The error of a storage for a file that does not exist. */
export const missingFile = () =>
  Object.assign(new Error("The file does not exist."), { code: missingCode });

/** Whether an error of a storage says that a file does not exist. */
export const isMissingFile = (error: unknown) => codeOf(error) === missingCode;

/** Makes a random key, independent of the file's name and content. */
export const newStorageKey = () => randomBytes(20).toString("hex");

/** Throws for a text that is not a key from `newStorageKey`: no other text becomes a path. */
export function checkKey(key: string): void {
  if (!/^[0-9a-f]{40}$/.test(key)) throw new Error("Invalid storage key.");
}

/** A web stream that reads its source on demand; errors of `Readable.toWeb` can escape handlers. */
export const streamOf = (source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  ReadableStream.from(source);
