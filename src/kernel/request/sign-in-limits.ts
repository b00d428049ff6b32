import { limiter, networkLimiter, type Instances } from "./limiter.ts";
import { networkOf } from "./network.ts";
import { refusalIn } from "../../platform/errors.ts";

const signInSeconds = 15 * 60;
const wrongPasswordSeconds = 6 * 60 * 60;

type Run<Result> = () => Promise<Result>;

/**
 * Counts attempts to prove an identity; every method throws 429 past its limit.
 *
 * An error that is no refusal does not count: an outage of the database would lock out all clients
 * that repeat their calls.
 */
export type SignInLimits = {
  /**
   * Runs a sign-in, and counts one that is refused: for the account and a network, and for that
   * network.
   *
   * After many wrong passwords for one account, from any networks, the networks without an earlier
   * sign-in share one attempt per minute. The owner's known networks are not delayed.
   */
  signIn<Result>(
    email: string,
    ip: string,
    isKnownNetwork: () => Promise<boolean>,
    run: Run<Result>,
  ): Promise<Result>;
  /** Counts a wrong password for an account, from whichever network. */
  wrongPassword(email: string): Promise<void>;
  /** Forgets the wrong passwords of an account whose password was reset. */
  passwordReset(email: string): Promise<void>;
  /** Counts a request to mail a reset token, apart from sign-in attempts. */
  resetRequest(email: string, ip: string, run: Run<void>): Promise<void>;
  /** Counts a signed-in user's attempt to confirm their password, and runs it. */
  password(userId: bigint, confirm: Run<boolean>): Promise<boolean>;
  /** Counts a registration for a client address, and runs it. */
  signUp<Result>(ip: string, run: Run<Result>): Promise<Result>;
  /**
   * Runs what a client may guess at, such as a mailed token; only refusals count.
   *
   * Such a token is random: a valid one is not refused for the failures of others in the network.
   */
  guess<Result>(ip: string, run: Run<Result>): Promise<Result>;
};

/** Runs what is counted already, and takes that back for an error that is not a refusal. */
export async function unlessFailed<Result>(
  run: Run<Result>,
  refund: Run<unknown>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (refusalIn(error) === undefined) await refund();
    throw error;
  }
}

/** The limits of all instances together; `signIns` is the number of attempts in 15 minutes. */
export function signInLimits(signIns: number, instances: Instances): SignInLimits {
  const shared = (name: string, points: number, duration: number) =>
    limiter(name, points, duration, "calls", instances);
  const attempts = shared("sign-in", signIns, signInSeconds);
  const resets = shared("reset-request", signIns, signInSeconds);
  const clientAttempts = networkLimiter("sign-in-client", signIns * 10, signInSeconds, instances);
  const wrongPasswords = shared("wrong-passwords", signIns * 10, wrongPasswordSeconds);
  const passwords = shared("password", signIns, signInSeconds);
  const unknownNetworks = shared("sign-in-unknown-network", 1, 60);
  return {
    async signIn(email, ip, isKnownNetwork, run) {
      const network = networkOf(ip);
      const key = `${network} ${email}`;
      const refund = () =>
        Promise.all([clientAttempts.refund(network, 1), attempts.refund(key, 1)]);
      // A client past its own limit must not use up the attempts of an account.
      await clientAttempts.count(network, 1);
      await attempts.count(key, 1);
      const result = await unlessFailed(async () => {
        if ((await wrongPasswords.isSpent(email)) && !(await isKnownNetwork())) {
          await unknownNetworks.count(email, 1);
        }
        return run();
      }, refund);
      await refund();
      return result;
    },
    wrongPassword: (email) => wrongPasswords.add(email, 1),
    async passwordReset(email) {
      await Promise.all([wrongPasswords.reset(email), unknownNetworks.reset(email)]);
    },
    async resetRequest(email, ip, run) {
      const network = networkOf(ip);
      const key = `${network} ${email}`;
      await clientAttempts.count(network, 1);
      await resets.count(key, 1);
      await unlessFailed(run, () =>
        Promise.all([clientAttempts.refund(network, 1), resets.refund(key, 1)]),
      );
    },
    async password(userId, confirm) {
      const key = String(userId);
      await passwords.count(key, 1);
      return unlessFailed(confirm, () => passwords.refund(key, 1));
    },
    async signUp(ip, run) {
      const network = networkOf(ip);
      await clientAttempts.count(network, 1);
      return unlessFailed(run, () => clientAttempts.refund(network, 1));
    },
    async guess(ip, run) {
      try {
        return await run();
      } catch (error) {
        if (isWrong(error)) await clientAttempts.count(networkOf(ip), 1);
        throw error;
      }
    },
  };
}

/** Whether an error refuses a guess. A 429 for a valid token does not. */
function isWrong(error: unknown): boolean {
  const refusal = refusalIn(error)?.failure;
  return refusal !== undefined && refusal !== "TOO_MANY_REQUESTS";
}
