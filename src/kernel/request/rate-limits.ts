import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests } from "../../platform/errors.ts";

const windowSeconds = 10;
const signInSeconds = 15 * 60;
const signUpSeconds = 60 * 60;

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/** Counts calls; every method throws 429 past its limit. */
export type Limits = {
  /** Counts calls of a credential, or without one of a client address. */
  calls(who: { credential?: string | undefined; ip: string }, count: number): Promise<LimitHeaders>;
  /** Counts an invalid credential for a client address. */
  badCredential(ip: string): Promise<void>;
  /** Counts a sign-in attempt for an account from a client address, and for that address. */
  signIn(email: string, ip: string): Promise<void>;
  /** Counts a signed-in user's attempt to confirm their password. */
  password(userId: bigint): Promise<void>;
  /** Counts a registration from a client address. */
  registration(ip: string): Promise<void>;
};

/** The limits of this process: calls in 10 s, sign-ins in 15 min, registrations in 1 h. */
export function createLimits(perWindow: number, signIns: number, registrations = 1_000): Limits {
  const anonymous = Math.max(1, Math.floor(perWindow / 5));
  const known = limiter("calls", perWindow, windowSeconds);
  const unknown = limiter("anonymous", anonymous, windowSeconds);
  const tries = limiter("sign-in", signIns, signInSeconds);
  const passwords = limiter("password", signIns, signInSeconds);
  const signUps = limiter("registration", registrations, signUpSeconds);
  const clientTries = limiter("sign-in-client", signIns * 10, signInSeconds);
  return {
    calls: ({ credential, ip }, count) =>
      credential === undefined ? unknown(ip, count) : known(credential, count),
    async badCredential(ip) {
      await unknown(ip, 1);
    },
    async password(userId) {
      await passwords(String(userId), 1);
    },
    async registration(ip) {
      await signUps(ip, 1);
    },
    async signIn(email, ip) {
      // A client that is past its own limit does not use up the tries of others' addresses.
      await clientTries(ip, 1);
      await tries(`${ip} ${email}`, 1);
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
