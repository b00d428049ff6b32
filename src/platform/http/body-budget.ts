import { failure } from "../errors.ts";

type Reading = { client: string; bytes: number; refuse: () => void };

/**
 * The memory that request bodies share while they are read.
 *
 * When it is used up, the client with the most bytes loses its oldest body: slow bodies
 * of one client, however many, refuse no body of another.
 */
export class BodyBudget {
  readonly #most: number;
  readonly #readings = new Set<Reading>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Notes that a client sends a body; `refuse` gets a 503 when another client needs its bytes. */
  take(client: string, bytes: number, refuse: (error: Error) => void): () => void {
    const reading = { client, bytes, refuse: () => refuse(refused()) };
    this.#readings.add(reading);
    this.#bytes += bytes;
    while (this.#bytes > this.#most) this.#refuseLargest();
    return () => this.#end(reading);
  }

  #end(reading: Reading): void {
    if (this.#readings.delete(reading)) this.#bytes -= reading.bytes;
  }

  #refuseLargest(): void {
    const sums = new Map<string, number>();
    for (const { client, bytes } of this.#readings) {
      sums.set(client, (sums.get(client) ?? 0) + bytes);
    }
    const most = Math.max(...sums.values());
    const oldest = [...this.#readings].find(({ client }) => sums.get(client) === most);
    if (oldest === undefined) return;
    this.#end(oldest);
    oldest.refuse();
  }
}

/** 503. The rest of the body is not read, so the connection is closed. */
const refused = () =>
  failure("overloaded", "The service is reading too many request bodies. Try again later.", {
    headers: { Connection: "close" },
  });
