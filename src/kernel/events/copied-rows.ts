import { conflict } from "../../platform/errors.ts";

/** The most rows that one call copies. */
export const mostCopied = 200_000;
/** What a copied row takes beside its texts. */
const rowBytes = 64;

/** The limit of the texts that a user writes. */
type Texts = {
  text(userId: bigint, bytes: number): Promise<void>;
  refundText(userId: bigint, bytes: number): Promise<void>;
};

/** The limit of the bytes of files that a user stores. */
type Files = {
  count(user: string, bytes: number): Promise<void>;
  refund(user: string, bytes: number): Promise<void>;
};

/**
 * The rows that a call copies, and the files that it stores: the operations of a batch together.
 *
 * They count for the limits of its caller before they are copied, and once: a transaction that is
 * retried copies the same rows, and one that fails copies nothing.
 */
export class CopiedRows {
  /** The user who copies. */
  userId: bigint | undefined;
  #rows = 0;
  #bytes = 0;
  #counted = 0;
  #fileBytes = 0;
  #countedFiles = 0;
  readonly #texts: Texts | undefined;
  readonly #files: Files | undefined;

  constructor(texts?: Texts, files?: Files) {
    this.#texts = texts;
    this.#files = files;
  }

  /** Begins again for a transaction that is retried. */
  restart(): void {
    this.#rows = 0;
    this.#bytes = 0;
    this.#fileBytes = 0;
  }

  /** Adds rows before they are copied, with the bytes of their texts; 409 or 429 for too many. */
  async add(rows: readonly { bytes: number }[]): Promise<void> {
    this.#rows += rows.length;
    for (const { bytes } of rows) this.#bytes += bytes + rowBytes;
    if (this.#rows > mostCopied) {
      throw conflict("limit_exceeded", `A call copies at most ${mostCopied} rows.`);
    }
    const more = this.#bytes - this.#counted;
    if (this.userId === undefined || more <= 0) return;
    await this.#texts?.text(this.userId, more);
    this.#counted += more;
  }

  /** Adds a file before it is stored; 429 for too many bytes. */
  async addFile(bytes: number): Promise<void> {
    this.#fileBytes += bytes;
    const more = this.#fileBytes - this.#countedFiles;
    if (this.userId === undefined || more <= 0) return;
    await this.#files?.count(String(this.userId), more);
    this.#countedFiles += more;
  }

  /** Takes back what was counted, because nothing was copied. */
  async refund(): Promise<void> {
    if (this.userId === undefined) return;
    const [bytes, fileBytes] = [this.#counted, this.#countedFiles];
    this.#counted = 0;
    this.#countedFiles = 0;
    if (bytes > 0) await this.#texts?.refundText(this.userId, bytes);
    if (fileBytes > 0) await this.#files?.refund(String(this.userId), fileBytes);
  }
}
