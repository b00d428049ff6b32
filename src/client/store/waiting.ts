/** Waits that end early when the connection is back, and when the store is closed. */
export class Waiting {
  isClosed = false;
  readonly #waits = new Set<() => void>();

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
    this.isClosed = true;
    this.wake();
  }
}
