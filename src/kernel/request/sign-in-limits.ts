import type { CountsOf } from "./counts.ts";
import { limiter, networkLimiter } from "./limiter.ts";
import { networkOf } from "./network.ts";
import { refusalIn } from "../../platform/errors.ts";

const signInSeconds = 15 * 60;
/** How many codes may be wrong in 15 minutes: of a million codes three are right at a moment. */
const secondFactors = 5;
const wrongPasswordSeconds = 6 * 60 * 60;

type Run<Result> = () => Promise<Result>;

/** Runs an attempt that was counted, and refunds it after an error that is not a refusal. */
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

/**
 * Counts attempts to prove an identity; every method throws 429 past its limit.
 *
 * An error that is not a refusal does not count: an outage of the database would lock out all clients
 * that repeat their calls. `signIns` is the number of attempts in 15 minutes, of all instances that
 * share the counts.
 */
export function signInLimits(signIns: number, countsOf: CountsOf) {
  const shared = (name: string, points: number, duration: number) =>
    limiter(name, points, duration, "calls", countsOf);
  const clients = networkLimiter("sign-in-client", signIns * 10, signInSeconds, countsOf);
  const passwords = shared("password", signIns, signInSeconds);
  const factors = shared("second-factor", secondFactors, signInSeconds);
  const userCodes = shared("user-code", signIns, signInSeconds);
  const apps = networkLimiter("app-token", signIns * 10, signInSeconds, countsOf);
  const guess = guessBy(clients);
  /**
   * Runs what an account guesses at, and counts a wrong guess for it and its network.
   *
   * Such a code is short: who has guessed too often is refused before the code is read.
   */
  const guessOf =
    (accounts: Limiter) =>
    async <Result>(userId: bigint, ip: string, run: Run<Result>): Promise<Result> => {
      const key = String(userId);
      const refund = () => accounts.refund(key, 1);
      await accounts.count(key, 1);
      const result = await unlessFailed(() => guess(ip, run), refund);
      await refund();
      return result;
    };
  return {
    ...accountLimits(signIns, shared, clients),
    /** Counts a signed-in user's attempt to confirm their password, and runs it. */
    async password(userId: bigint, confirm: Run<boolean>) {
      const key = String(userId);
      await passwords.count(key, 1);
      return unlessFailed(confirm, () => passwords.refund(key, 1));
    },
    /** Checks a second factor of an account. */
    secondFactor: guessOf(factors),
    /** Counts a registration, or what else anyone may begin, for a client address, and runs it. */
    async signUp<Result>(ip: string, run: Run<Result>): Promise<Result> {
      const network = networkOf(ip);
      await clients.count(network, 1);
      return unlessFailed(run, () => clients.refund(network, 1));
    },
    /**
     * Runs what a client may guess at, such as a mailed token; only refusals count.
     *
     * Such a token is random: a valid one is not refused for the failures of others in the network.
     */
    guess,
    /** As `guess`, for what an app exchanges: an app that goes on failing ends nobody's sign-in. */
    exchange: guessBy(apps),
    /** Looks for the code that a program shows. */
    userCode: guessOf(userCodes),
  };
}

/** Runs a guess; only refusals count for the network. */
const guessBy =
  (networks: ReturnType<typeof networkLimiter>) =>
  async <Result>(ip: string, run: Run<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      if (isWrong(error)) await networks.count(networkOf(ip), 1);
      throw error;
    }
  };

type Limiter = ReturnType<typeof limiter>;
type Shared = (name: string, points: number, duration: number) => Limiter;

/** Limits of attempts for an account, and of its networks. */
function accountLimits(signIns: number, shared: Shared, clients: Limiter) {
  const attempts = shared("sign-in", signIns, signInSeconds);
  const resets = shared("reset-request", signIns, signInSeconds);
  const wrongPasswords = shared("wrong-passwords", signIns * 10, wrongPasswordSeconds);
  const unknownNetworks = shared("sign-in-unknown-network", 1, 60);
  /** Counts an attempt for a network and an account in it; the returned function refunds it. */
  const countBoth = async (accounts: Limiter, email: string, ip: string) => {
    const network = networkOf(ip);
    const key = `${network} ${email}`;
    // A client past its own limit must not use up the attempts of an account.
    await clients.count(network, 1);
    await accounts.count(key, 1);
    return () => Promise.all([clients.refund(network, 1), accounts.refund(key, 1)]);
  };
  return {
    /**
     * Runs a sign-in, and counts one that is refused: for the account and a network, and for that
     * network.
     *
     * After many wrong passwords for one account, from any networks, the networks without an
     * earlier sign-in share one attempt per minute. The owner's known networks are not delayed.
     */
    async signIn<Result>(
      email: string,
      ip: string,
      isKnownNetwork: () => Promise<boolean>,
      run: Run<Result>,
    ): Promise<Result> {
      const refund = await countBoth(attempts, email, ip);
      const result = await unlessFailed(async () => {
        if ((await wrongPasswords.isSpent(email)) && !(await isKnownNetwork())) {
          await unknownNetworks.count(email, 1);
        }
        return run();
      }, refund);
      await refund();
      return result;
    },
    /** Counts a wrong password for an account, from whichever network. */
    wrongPassword: (email: string) => wrongPasswords.add(email, 1),
    /** Forgets the wrong passwords of an account whose password was reset. */
    async passwordReset(email: string) {
      await Promise.all([wrongPasswords.reset(email), unknownNetworks.reset(email)]);
    },
    /** Counts a request to mail a reset token, apart from sign-in attempts. */
    async resetRequest(email: string, ip: string, run: Run<void>) {
      await unlessFailed(run, await countBoth(resets, email, ip));
    },
  };
}

/** Whether an error refuses a guess. A 429 for a valid token does not. */
function isWrong(error: unknown): boolean {
  const refusal = refusalIn(error)?.failure;
  return refusal !== undefined && refusal !== "TOO_MANY_REQUESTS";
}
