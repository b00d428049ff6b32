type Use = { inFlight: number; startedAs: number };

const unused: Use = { inFlight: 0, startedAs: 0 };

/** The uses in flight of accounts or workspaces, and the order of their last starts. */
export class FairOrder {
  readonly #uses = new Map<bigint, Use>();
  #starts = 0;

  /** How many uses are in flight. */
  inFlight(id: bigint): number {
    return this.#use(id).inFlight;
  }

  /** Below 0 when the first one is next: it has fewer uses, or its last one is older. */
  compare(one: bigint, other: bigint): number {
    const [first, second] = [this.#use(one), this.#use(other)];
    return first.inFlight - second.inFlight || first.startedAs - second.startedAs;
  }

  /** Those with this many uses in flight, or more. */
  busyWith(count: number): bigint[] {
    return [...this.#uses].filter(([, { inFlight }]) => inFlight >= count).map(([id]) => id);
  }

  /** Counts a use; the returned function ends it. */
  start(id: bigint): () => void {
    this.#uses.set(id, { inFlight: this.inFlight(id) + 1, startedAs: ++this.#starts });
    return () => {
      const use = this.#use(id);
      this.#uses.set(id, { ...use, inFlight: use.inFlight - 1 });
    };
  }

  /** Forgets those without a use in flight. */
  forgetIdle(): void {
    for (const [id, { inFlight }] of this.#uses) if (inFlight === 0) this.#uses.delete(id);
  }

  #use(id: bigint): Use {
    return this.#uses.get(id) ?? unused;
  }
}
