import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFreeSpace } from "./free-space.ts";

/** A staged value: its bytes, or where they are in the file. */
export type Staged = { length: number; at: Buffer | number };

const mebibyte = 1024 * 1024;
/** The bytes that stay in memory. A source that is larger continues in a file. */
const maxInMemory = 50 * mebibyte;
/** The bytes that are written at once. */
const perWrite = 2 * mebibyte;

/** Keeps the values of a source until all of it is read; memory does not grow with the source. */
export class Staging {
  readonly #minFree: number;
  #file: FileHandle | undefined;
  #inMemory = 0;
  #end = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  private constructor(minFree: number) {
    this.#minFree = minFree;
  }

  /** Lends a staging, whose file leaves `minFree` bytes of the disk free. */
  static async lend<Result>(
    minFree: number,
    use: (staging: Staging) => Promise<Result>,
  ): Promise<Result> {
    const staging = new Staging(minFree);
    try {
      return await use(staging);
    } finally {
      await staging.#file?.close();
    }
  }

  /** Stages a value that JSON can represent. */
  put(value: unknown): Staged {
    const bytes = Buffer.from(JSON.stringify(value));
    const { length } = bytes;
    if (this.#inMemory + length <= maxInMemory) {
      this.#inMemory += length;
      return { length, at: bytes };
    }
    const at = this.#end;
    this.#end += length;
    this.#pending.push(bytes);
    this.#pendingBytes += length;
    return { length, at };
  }

  /** Writes the staged values to the file once they take much memory. Call it regularly. */
  async flush(): Promise<void> {
    if (this.#pendingBytes >= perWrite) await this.#write();
  }

  async #write(): Promise<void> {
    await checkFreeSpace(tmpdir(), this.#minFree);
    this.#file ??= await openFile();
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

  /** Reads values, in their order. */
  async read(values: Staged[]): Promise<unknown[]> {
    if (this.#pendingBytes > 0) await this.#write();
    return Promise.all(
      values.map(async (staged): Promise<unknown> => {
        if (typeof staged.at !== "number") return JSON.parse(staged.at.toString());
        const bytes = Buffer.allocUnsafe(staged.length);
        await this.#file?.read(bytes, 0, staged.length, staged.at);
        return JSON.parse(bytes.toString());
      }),
    );
  }
}

/** Opens a file that is deleted at once, so that nothing of it outlives the process. */
async function openFile(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), "board-import-"));
  try {
    return await open(join(directory, "staging"), "wx+", 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
