import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests } from "../../platform/errors.ts";

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/** Counts up to `points` units per key within `duration` seconds; past it `count` throws 429. */
export function limiter(name: string, points: number, duration: number, unit = "calls") {
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  const policy = `"${name}";q=${points};w=${duration}`;
  const headersOf = (left: RateLimiterRes): LimitHeaders => ({
    "RateLimit-Policy": policy,
    RateLimit: `"${name}";r=${left.remainingPoints};t=${Math.ceil(left.msBeforeNext / 1000)}`,
  });
  return {
    async count(key: string, count: number): Promise<LimitHeaders> {
      try {
        return headersOf(await memory.consume(key, count));
      } catch (left) {
        if (!(left instanceof RateLimiterRes)) throw left;
        throw tooManyRequests(
          "rate_limited",
          `Rate limit exceeded: ${points} ${unit} in ${duration} s.`,
          left.msBeforeNext / 1000,
          headersOf(left),
        );
      }
    },
    /** Counts, also past the limit. */
    async add(key: string, count: number): Promise<void> {
      await memory.penalty(key, count);
    },
    async refund(key: string, count: number): Promise<void> {
      await memory.reward(key, count);
    },
    async isSpent(key: string): Promise<boolean> {
      const counted = await memory.get(key);
      return counted !== null && counted.consumedPoints >= points;
    },
    async reset(key: string): Promise<void> {
      await memory.delete(key);
    },
  };
}
