type Use = { client: string; units: number; end: () => void };

/**
 * Shares something among running requests, such as the memory for bodies, in bytes.
 *
 * When it is used up, the client with the most loses its oldest use: slow bodies of one client,
 * however many, do not end the bodies of another.
 */
export class SharedBudget {
  readonly #max: number;
  readonly #uses = new Set<Use>();
  #units = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Records a use of a client; `end` is called when another client needs its units. */
  take(client: string, units: number, end: () => void): () => void {
    const use = { client, units, end };
    this.#uses.add(use);
    this.#units += units;
    while (this.#units > this.#max) this.#endLargest();
    return () => this.#release(use);
  }

  #release(use: Use): void {
    if (this.#uses.delete(use)) this.#units -= use.units;
  }

  #endLargest(): void {
    const sums = new Map<string, number>();
    for (const { client, units } of this.#uses) {
      sums.set(client, (sums.get(client) ?? 0) + units);
    }
    const largest = Math.max(...sums.values());
    const oldest = [...this.#uses].find(({ client }) => sums.get(client) === largest);
    if (oldest === undefined) return;
    this.#release(oldest);
    oldest.end();
  }
}
