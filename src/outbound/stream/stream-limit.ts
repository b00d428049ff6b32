import { tooManyRequests } from "../../platform/errors.ts";

/** Counts the open streams of each user. */
export class StreamLimit {
  readonly #limit: number;
  readonly #retryAfterSeconds: number;
  readonly #open = new Map<bigint, number>();

  constructor(limit: number, retryAfterSeconds: number) {
    this.#limit = limit;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** Counts a stream until the returned function is called; 429 over the limit. */
  take(userId: bigint): () => void {
    const open = this.#open.get(userId) ?? 0;
    if (open >= this.#limit) {
      throw tooManyRequests(
        "too_many_streams",
        `You have ${open} open streams; the limit is ${this.#limit}. Close one first.`,
        this.#retryAfterSeconds,
      );
    }
    this.#open.set(userId, open + 1);
    return () => {
      const left = (this.#open.get(userId) ?? 1) - 1;
      if (left === 0) this.#open.delete(userId);
      else this.#open.set(userId, left);
    };
  }
}
