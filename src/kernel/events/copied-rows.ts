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

/**
 * The rows that a call copies, the operations of a batch together.
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
  readonly #texts: Texts | undefined;

  constructor(texts?: Texts) {
    this.#texts = texts;
  }

  /** Begins again for a transaction that is retried. */
  restart(): void {
    this.#rows = 0;
    this.#bytes = 0;
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

  /** Takes back what was counted, because nothing was copied. */
  async refund(): Promise<void> {
    if (this.userId === undefined || this.#counted === 0) return;
    await this.#texts?.refundText(this.userId, this.#counted);
    this.#counted = 0;
  }
}
