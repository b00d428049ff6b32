type Use = { client: string; bytes: number; end: () => void };

/**
 * The memory that bodies of requests share while they are read, or answers until they are sent.
 *
 * When it is used up, the client with the most bytes loses its oldest body: slow bodies
 * of one client, however many, end no body of another.
 */
export class MemoryBudget {
  readonly #most: number;
  readonly #uses = new Set<Use>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Notes the body of a client; `end` is called when another client needs its bytes. */
  take(client: string, bytes: number, end: () => void): () => void {
    const use = { client, bytes, end };
    this.#uses.add(use);
    this.#bytes += bytes;
    while (this.#bytes > this.#most) this.#endLargest();
    return () => this.#release(use);
  }

  #release(use: Use): void {
    if (this.#uses.delete(use)) this.#bytes -= use.bytes;
  }

  #endLargest(): void {
    const sums = new Map<string, number>();
    for (const { client, bytes } of this.#uses) {
      sums.set(client, (sums.get(client) ?? 0) + bytes);
    }
    const most = Math.max(...sums.values());
    const oldest = [...this.#uses].find(({ client }) => sums.get(client) === most);
    if (oldest === undefined) return;
    this.#release(oldest);
    oldest.end();
  }
}
