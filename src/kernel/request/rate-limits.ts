import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests } from "../../platform/errors.ts";

const windowSeconds = 10;
const signInSeconds = 15 * 60;

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/** Counts calls; every method throws 429 past its limit. */
export type Limits = {
  /** Counts calls of a credential, or without one of a client address. */
  calls(who: { credential?: string | undefined; ip: string }, count: number): Promise<LimitHeaders>;
  /** Counts an invalid credential for a client address. */
  badCredential(ip: string): Promise<void>;
  /** Counts a sign-in attempt for an account's address and for a client address. */
  signIn(email: string, ip: string): Promise<void>;
};

/** Limits of this process: `perWindow` calls a credential in 10 s and a fifth of that for an unknown client, `signIns` tries an address in 15 min. */
export function createLimits(perWindow: number, signIns: number): Limits {
  const anonymous = Math.max(1, Math.floor(perWindow / 5));
  const known = limiter("calls", perWindow, windowSeconds);
  const unknown = limiter("anonymous", anonymous, windowSeconds);
  const tries = limiter("sign-in", signIns, signInSeconds);
  const clientTries = limiter("sign-in-client", signIns * 10, signInSeconds);
  return {
    calls: ({ credential, ip }, count) =>
      credential === undefined ? unknown(ip, count) : known(credential, count),
    async badCredential(ip) {
      await unknown(ip, 1);
    },
    async signIn(email, ip) {
      // A client that is past its own limit does not use up the tries of others' addresses.
      await clientTries(ip, 1);
      await tries(email, 1);
    },
  };
}

function limiter(name: string, points: number, duration: number) {
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  const policy = `"${name}";q=${points};w=${duration}`;
  return async (key: string, count: number): Promise<LimitHeaders> => {
    const headers = (left: RateLimiterRes) => ({
      "RateLimit-Policy": policy,
      RateLimit: `"${name}";r=${left.remainingPoints};t=${Math.ceil(left.msBeforeNext / 1000)}`,
    });
    try {
      return headers(await memory.consume(key, count));
    } catch (left) {
      if (!(left instanceof RateLimiterRes)) throw left;
      throw tooManyRequests(
        `The limit is ${points} in ${duration} s.`,
        left.msBeforeNext / 1000,
        headers(left),
      );
    }
  };
}
