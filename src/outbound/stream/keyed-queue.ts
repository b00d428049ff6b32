/** Lets things have their turn, so many at a time and each one by itself; what asks again during its turn has another one after it. */
export class KeyedQueue<Thing> {
  readonly #most: number;
  readonly #take: (thing: Thing) => Promise<void>;
  readonly #waiting = new Set<Thing>();
  readonly #running = new Set<Thing>();

  /** `take` is a turn; it must not reject. */
  constructor(most: number, take: (thing: Thing) => Promise<void>) {
    this.#most = most;
    this.#take = take;
  }

  /** Asks for a turn. */
  add(thing: Thing): void {
    this.#waiting.add(thing);
    this.#go();
  }

  #go(): void {
    for (const thing of this.#waiting) {
      if (this.#running.size >= this.#most) return;
      if (this.#running.has(thing)) continue;
      this.#waiting.delete(thing);
      this.#running.add(thing);
      void this.#take(thing).finally(() => {
        this.#running.delete(thing);
        this.#go();
      });
    }
  }
}
