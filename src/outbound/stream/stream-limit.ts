import { tooManyRequests } from "../../platform/errors.ts";

/** Counts the open streams of each user: one for each workspace that a stream reads. */
export class StreamLimit {
  readonly #limit: number;
  readonly #retryAfterSeconds: number;
  readonly #open = new Map<bigint, number>();

  constructor(limit: number, retryAfterSeconds: number) {
    this.#limit = limit;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** Counts a stream until the returned function is called; 429 over the limit. */
  take(userId: bigint, logs = 1): () => void {
    const open = this.#open.get(userId) ?? 0;
    if (open + logs > this.#limit) {
      throw tooManyRequests(
        "too_many_streams",
        `You have ${open} open streams; the limit is ${this.#limit}. Close one first.`,
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
