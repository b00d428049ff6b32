/** Waits that end early when the connection is back, and when the store is closed. */
export class Waiting {
  readonly #ended = new AbortController();
  readonly #waits = new Set<() => void>();

  get isClosed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Ends with the store: nothing is sent for its user afterwards. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  wait(ms: number): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waits.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#waits.add(end);
    });
  }

  wake(): void {
    for (const end of this.#waits) end();
  }

  close(): void {
    this.#ended.abort();
    this.wake();
  }
}
