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
