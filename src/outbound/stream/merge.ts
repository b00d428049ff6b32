/** Merges the items of several sources. A source waits until its item is taken. */
export class Merge<Source, Item> {
  readonly #ready: { source: Source; item: Item; release: () => void }[] = [];
  readonly #onItem: () => void;

  /** Calls `onItem` when an item is ready. */
  constructor(onItem: () => void) {
    this.#onItem = onItem;
  }

  /** Adds the items of a source; `onEnd` is called with what it throws. */
  add(source: Source, items: AsyncIterable<Item>, onEnd: (error?: unknown) => void): void {
    this.#read(source, items).then(() => onEnd(), onEnd);
  }

  async #read(source: Source, items: AsyncIterable<Item>): Promise<void> {
    for await (const item of items) {
      await new Promise<void>((release) => {
        this.#ready.push({ source, item, release });
        this.#onItem();
      });
    }
  }

  /** Whether an item of a source is ready. */
  isReady(source: Source): boolean {
    return this.#ready.some((waiting) => waiting.source === source);
  }

  /** The next item; undefined when no item is ready. */
  take(): { source: Source; item: Item } | undefined {
    const next = this.#ready.shift();
    next?.release();
    return next;
  }

  /** Releases the sources that wait. */
  clear(): void {
    for (const { release } of this.#ready.splice(0)) release();
  }
}
