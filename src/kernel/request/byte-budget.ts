import { limiter } from "./limiter.ts";

/** Bytes of files that each user may send, or read, within a time. */
export type ByteBudget = {
  /** Counts bytes; 429 past the limit. What is refused does not count. */
  count(who: string, bytes: number): Promise<void>;
  refund(who: string, bytes: number): Promise<void>;
};

/** A budget of this process: so many MiB within so many seconds. */
export function byteBudget(name: string, mebibytes: number, seconds: number): ByteBudget {
  const limit = limiter(name, mebibytes * 1024 * 1024, seconds, "bytes of files");
  return {
    async count(who, bytes) {
      try {
        await limit.count(who, bytes);
      } catch (error) {
        // Otherwise one file that is too large would refuse all others.
        await limit.refund(who, bytes);
        throw error;
      }
    },
    refund: (who, bytes) => limit.refund(who, bytes),
  };
}

/** How bytes of one call are counted. */
type Counter = {
  count(bytes: number): Promise<void>;
  refund(bytes: number): Promise<void>;
};

/** The bytes that one call has counted, until it gives them back. */
export class CountedBytes {
  readonly #counter: Counter;
  #counted = 0;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** Counts more bytes; 429 past the limit. */
  async count(bytes: number): Promise<void> {
    await this.#counter.count(bytes);
    this.#counted += bytes;
  }

  /** Takes back what was counted. */
  async refund(): Promise<void> {
    const bytes = this.#counted;
    this.#counted = 0;
    if (bytes > 0) await this.#counter.refund(bytes);
  }
}
