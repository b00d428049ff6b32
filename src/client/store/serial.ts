/** Runs one function at a time for a key, and once more when it was asked for meanwhile. */
export class Serial {
  readonly #running = new Map<string, { again: boolean }>();

  async run(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const run = { again: true };
    this.#running.set(key, run);
    try {
      while (run.again) {
        run.again = false;
        await work();
      }
    } finally {
      this.#running.delete(key);
    }
  }
}
