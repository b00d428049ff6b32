import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tidyUp } from "./force-gc.ts";

/** Where something that was put aside lies. */
export type Handle = { at: number; length: number };

/** Things of a source put aside on the disk until their turn comes, so that no more of them than that turn needs is ever in memory. */
export class Staging {
  readonly #file: FileHandle;
  #end = 0;
  #waiting: Buffer[] = [];

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Lends one to `use`; nothing of it is left afterwards, nor after a crash. */
  static async lend<Result>(use: (staging: Staging) => Promise<Result>): Promise<Result> {
    const directory = await mkdtemp(join(tmpdir(), "board-import-"));
    const file = await open(join(directory, "things"), "wx+", 0o600);
    try {
      await rm(directory, { recursive: true, force: true });
      return await use(new Staging(file));
    } finally {
      await file.close();
    }
  }

  /** Puts something aside that JSON can hold. */
  put(thing: unknown): Handle {
    const bytes = Buffer.from(JSON.stringify(thing));
    const handle = { at: this.#end, length: bytes.byteLength };
    this.#end += bytes.byteLength;
    this.#waiting.push(bytes);
    return handle;
  }

  /** Writes what has been put aside; to be called now and then while there is more to come. */
  async settle(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    tidyUp();
    let at = this.#end - bytes.byteLength;
    for (let from = 0; from < bytes.byteLength;) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.byteLength - from, at);
      from += bytesWritten;
      at += bytesWritten;
    }
  }

  /** Reads things back, in this order. */
  async read(handles: Handle[]): Promise<unknown[]> {
    if (this.#waiting.length > 0) await this.settle();
    return Promise.all(
      handles.map(async ({ at, length }): Promise<unknown> => {
        const { buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
        return JSON.parse(buffer.toString());
      }),
    );
  }
}
