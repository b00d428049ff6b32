import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inBatches } from "../batches.ts";
import { checkFreeSpace } from "./free-space.ts";

/** The position of a staged value in the file. */
export type Handle = { at: number; length: number };

/** How much is read at once. */
const perRead = { maxItems: 100, maxBytes: 2 * 1024 * 1024 };

/** Divides entries into parts to read at once, by the bytes of each. */
export const inParts = <Entry>(entries: Entry[], bytesOf: (entry: Entry) => number) =>
  inBatches(entries, bytesOf, perRead);

/** Stores values of a source in a temporary file, so that memory does not grow with the source. */
export class Staging {
  readonly #file: FileHandle;
  readonly #minFree: number;
  #end = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  private constructor(file: FileHandle, minFree: number) {
    this.#file = file;
    this.#minFree = minFree;
  }

  /**
   * Lends a staging file, which leaves `minFree` bytes of the disk free.
   *
   * It is deleted at once, so that nothing of it outlives the process.
   */
  static async lend<Result>(
    minFree: number,
    use: (staging: Staging) => Promise<Result>,
  ): Promise<Result> {
    const directory = await mkdtemp(join(tmpdir(), "board-import-"));
    const file = await open(join(directory, "staging"), "wx+", 0o600);
    try {
      await rm(directory, { recursive: true, force: true });
      return await use(new Staging(file, minFree));
    } finally {
      await file.close();
    }
  }

  /** Stages a value that JSON can represent. */
  put(value: unknown): Handle {
    const bytes = Buffer.from(JSON.stringify(value));
    const handle = { at: this.#end, length: bytes.byteLength };
    this.#end += bytes.byteLength;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
    return handle;
  }

  /** Writes the staged values to the file once they take much memory. */
  async flushIfLarge(): Promise<void> {
    if (this.#pendingBytes >= perRead.maxBytes) await this.flush();
  }

  /** Writes the staged values to the file. Call it regularly. */
  async flush(): Promise<void> {
    await checkFreeSpace(tmpdir(), this.#minFree);
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    let at = this.#end - bytes.byteLength;
    for (let from = 0; from < bytes.byteLength;) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.byteLength - from, at);
      from += bytesWritten;
      at += bytesWritten;
    }
  }

  /** Reads values, in the order of their handles. */
  async read(handles: Handle[]): Promise<unknown[]> {
    if (this.#pending.length > 0) await this.flush();
    return Promise.all(
      handles.map(async ({ at, length }): Promise<unknown> => {
        const { buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
        return JSON.parse(buffer.toString());
      }),
    );
  }
}
