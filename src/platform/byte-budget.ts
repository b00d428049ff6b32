/** Limits the bytes that each user or workspace sends, reads or writes in a period. */
export type ByteBudget = {
  /** Counts bytes; 429 past the limit. What is refused does not count. */
  spend(owner: string, bytes: number): Promise<unknown>;
  refund(owner: string, bytes: number): Promise<void>;
};

/** One call's use of a budget. Bytes count once, even if the call's transaction is retried. */
export class BudgetUse {
  /** The user who pays; without one nothing counts. */
  user: string | undefined;
  #used = 0;
  #counted = 0;
  readonly #budget: ByteBudget | undefined;

  constructor(budget: ByteBudget | undefined, user?: string) {
    this.#budget = budget;
    this.user = user;
  }

  /** Begins again for a transaction that is retried. */
  restart(): void {
    this.#used = 0;
  }

  /** Adds bytes before they are used; 429 past the limit. */
  async add(bytes: number): Promise<void> {
    this.#used += bytes;
    const uncounted = this.#used - this.#counted;
    if (this.user === undefined || uncounted <= 0) return;
    await this.#budget?.spend(this.user, uncounted);
    this.#counted += uncounted;
  }

  /** Refunds all counted bytes, because nothing was used. */
  async refund(): Promise<void> {
    const counted = this.#counted;
    this.#counted = 0;
    if (this.user !== undefined && counted > 0) await this.#budget?.refund(this.user, counted);
  }
}
