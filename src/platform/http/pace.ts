/** The slowest rate that is accepted from a sender, measured over a window; 0 accepts any. */
export type SendRate = { bytesPerSecond: number; windowMs: number };

/**
 * Measures how fast a sender is.
 *
 * Only the time of waiting counts: bytes wait for a service that is slow itself.
 */
export class Pace {
  readonly #rate: SendRate;
  readonly #late: () => Error;
  #waitedMs = 0;
  #bytes = 0;

  constructor(rate: SendRate, late: () => Error) {
    this.#rate = rate;
    this.#late = late;
  }

  /** Adds bytes and how long they were waited for; throws at the end of a slow window. */
  record(waitedMs: number, bytes: number): void {
    const { bytesPerSecond, windowMs } = this.#rate;
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < windowMs) return;
    if (this.#bytes < (bytesPerSecond * this.#waitedMs) / 1_000) throw this.#late();
    this.#waitedMs = 0;
    this.#bytes = 0;
  }
}

/** The slowest rate that is accepted from another service. */
const leastRate: SendRate = { bytesPerSecond: 4_096, windowMs: 10_000 };

/** The bytes that another service sends. Throws what `late` makes when they arrive too slowly. */
export async function* paced(
  bytes: AsyncIterable<Uint8Array>,
  late: () => Error,
): AsyncGenerator<Uint8Array> {
  const pace = new Pace(leastRate, late);
  let since = performance.now();
  for await (const chunk of bytes) {
    pace.record(performance.now() - since, chunk.byteLength);
    yield chunk;
    since = performance.now();
  }
}
