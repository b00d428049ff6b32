import { tooManyRequests } from "../../platform/errors.ts";

/** Counts the open streams and waiting reads of each user: one for each workspace that is read. */
export class StreamLimit {
  readonly #limit: number;
  readonly #retryAfterSeconds: number;
  readonly #open = new Map<bigint, number>();

  constructor(limit: number, retryAfterSeconds: number) {
    this.#limit = limit;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** Counts what `open` opens, until it fails or calls `onClose`; 429 over the limit. */
  async hold<One>(
    userId: bigint,
    logs: number,
    open: (onClose: () => void) => Promise<One>,
  ): Promise<One> {
    const onClose = this.#take(userId, logs);
    try {
      return await open(onClose);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  #take(userId: bigint, logs: number): () => void {
    const open = this.#open.get(userId) ?? 0;
    if (open + logs > this.#limit) {
      throw tooManyRequests(
        "too_many_streams",
        `You have ${open} open streams and waiting reads; the limit is ${this.#limit}. ` +
          "End one first.",
        this.#retryAfterSeconds,
      );
    }
    this.#open.set(userId, open + logs);
    return () => {
      const left = (this.#open.get(userId) ?? logs) - logs;
      if (left === 0) this.#open.delete(userId);
      else this.#open.set(userId, left);
    };
  }
}
