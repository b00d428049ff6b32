import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests } from "../../platform/errors.ts";
import { networkOf } from "./network.ts";

const windowSeconds = 10;
const signInSeconds = 15 * 60;
/** An answer counts as one more call for each of these bytes. */
const bytesPerCall = 100_000;

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/** Counts calls; every method throws 429 past its limit. */
export type Limits = {
  /** Counts calls of a verified credential. */
  credential(id: string, count: number): Promise<LimitHeaders>;
  /** Counts calls of a client address: without a credential, or with an unverified one. */
  client(ip: string, count: number): Promise<LimitHeaders>;
  /** Counts what an answer weighed, after it was made: later calls notice it. */
  weigh(who: { credential: string } | { ip: string }, bytes: number): Promise<void>;
  /** Takes back what was counted for a client address. */
  refund(ip: string, count: number): Promise<void>;
  /** Counts a wrong operator's key for a client address. */
  badCredential(ip: string): Promise<void>;
  /** Counts a sign-in attempt for an account from a client address, and for that address. */
  signIn(email: string, ip: string): Promise<void>;
  /** Counts a signed-in user's attempt to confirm their password. */
  password(userId: bigint): Promise<void>;
  /** Counts a verification mail that a user requests. */
  verification(userId: bigint): Promise<void>;
  /** Counts a registration for a client address. */
  signUp(ip: string): Promise<void>;
  /** Runs what a client may guess at, such as a mailed token; only failures count. */
  guess<Result>(ip: string, run: () => Promise<Result>): Promise<Result>;
};

/** The limits of this process: calls in 10 s, and sign-in attempts in 15 min. */
export function createLimits(perWindow: number, signIns: number): Limits {
  const anonymous = Math.max(1, Math.floor(perWindow / 5));
  const known = limiter("calls", perWindow, windowSeconds);
  const unknown = limiter("anonymous", anonymous, windowSeconds);
  const attempts = limiter("sign-in", signIns, signInSeconds);
  const passwords = limiter("password", signIns, signInSeconds);
  const verifications = limiter("verification", 5, 60 * 60);
  const clientAttempts = limiter("sign-in-client", signIns * 10, signInSeconds);
  return {
    credential: (id, count) => known.count(id, count),
    client: (ip, count) => unknown.count(networkOf(ip), count),
    async weigh(who, bytes) {
      const calls = Math.floor(bytes / bytesPerCall);
      if (calls === 0) return;
      if ("credential" in who) await known.add(who.credential, calls);
      else await unknown.add(networkOf(who.ip), calls);
    },
    refund: (ip, count) => unknown.refund(networkOf(ip), count),
    async badCredential(ip) {
      await unknown.count(networkOf(ip), 1);
    },
    async password(userId) {
      await passwords.count(String(userId), 1);
    },
    async verification(userId) {
      await verifications.count(String(userId), 1);
    },
    async signIn(email, ip) {
      // A client past its own limit must not use up the attempts of an account.
      await clientAttempts.count(networkOf(ip), 1);
      await attempts.count(`${networkOf(ip)} ${email}`, 1);
    },
    async signUp(ip) {
      await clientAttempts.count(networkOf(ip), 1);
    },
    async guess(ip, run) {
      await clientAttempts.count(networkOf(ip), 1);
      const result = await run();
      await clientAttempts.refund(networkOf(ip), 1);
      return result;
    },
  };
}

function limiter(name: string, points: number, duration: number) {
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
          `The limit is ${points} in ${duration} s.`,
          left.msBeforeNext / 1000,
          headersOf(left),
        );
      }
    },
    async add(key: string, count: number): Promise<void> {
      await memory.penalty(key, count);
    },
    async refund(key: string, count: number): Promise<void> {
      await memory.reward(key, count);
    },
  };
}
