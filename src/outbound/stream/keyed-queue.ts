/** Runs a task for each added key: a limited number at a time, and one at a time for each key. */
export class KeyedQueue<Key> {
  readonly #concurrency: number;
  readonly #task: (key: Key) => Promise<void>;
  readonly #waiting = new Set<Key>();
  readonly #running = new Set<Key>();

  /** `task` must not reject. */
  constructor(concurrency: number, task: (key: Key) => Promise<void>) {
    this.#concurrency = concurrency;
    this.#task = task;
  }

  /** Queues a key. A key that is added while its task runs, runs again. */
  add(key: Key): void {
    this.#waiting.add(key);
    this.#start();
  }

  #start(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#task(key).finally(() => {
        this.#running.delete(key);
        this.#start();
      });
    }
  }
}
