import { BudgetUse, type ByteBudget } from "../../platform/byte-budget.ts";
import { conflict } from "../../platform/errors.ts";

/** The most rows that one call copies. */
export const maxCopied = 200_000;
/** The bytes of a copied row without its texts. */
const rowBytes = 64;

/**
 * Counts the rows that a call copies and the files that it stores, over all operations of a batch.
 *
 * They count for the budgets of its caller before they are copied, and not when the call fails.
 */
export class CopiedRows {
  #rows = 0;
  readonly #texts: BudgetUse;
  readonly #files: BudgetUse;

  constructor(texts?: ByteBudget, files?: ByteBudget) {
    this.#texts = new BudgetUse(texts);
    this.#files = new BudgetUse(files);
  }

  /** Sets whose budgets the rows and files count for. */
  countFor(userId: bigint): void {
    this.#texts.user = String(userId);
    this.#files.user = String(userId);
  }

  /** Begins again for a transaction that is retried. */
  restart(): void {
    this.#rows = 0;
    this.#texts.restart();
    this.#files.restart();
  }

  /** Adds rows before they are copied, with the bytes of their texts; 409 or 429 for too many. */
  async add(rows: readonly { bytes: number }[]): Promise<void> {
    this.#rows += rows.length;
    if (this.#rows > maxCopied) {
      throw conflict("limit_exceeded", `A call can copy at most ${maxCopied} rows.`);
    }
    await this.#texts.add(rows.reduce((sum, { bytes }) => sum + bytes + rowBytes, 0));
  }

  /** Adds a file before it is stored; 429 for too many bytes. */
  addFile(bytes: number): Promise<void> {
    return this.#files.add(bytes);
  }

  /** Takes back what was counted, because nothing was copied. */
  async refund(): Promise<void> {
    await this.#texts.refund();
    await this.#files.refund();
  }
}
