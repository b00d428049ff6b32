import { countInMemory } from "./counts.ts";
import { limiter, networkLimiter } from "./limiter.ts";
import { networkOf } from "./network.ts";
import { signInLimits, unlessFailed } from "./sign-in-limits.ts";

const windowSeconds = 10;
const hourSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;
/** A user with many API keys gets this many times the limit of one credential. */
const credentialsPerUser = 5;
/** An answer counts as one more call for each of these bytes. */
export const bytesPerCall = 100_000;
/** A write counts as one more call for each of these events, or of the rows that it writes. */
const eventsPerCall = 100;

/** The bytes of responses of webhooks' receivers that are stored per workspace and day. */
const responseBytes = 256 * 1024 * 1024;

/** Who pays for a call: a verified credential, or a client address. */
type Counted = Proven | { ip: string };
type Lookup = { credential: string } | { ip: string };
/** A verified credential, and its user. */
type Proven = { credential: string; user: string };

/** Bytes that an account writes per day: of text, and of all that the service stores of it. */
type BytesPerDay = { text: number; stored: number };

/** Counts calls; every method throws 429 past its limit. */
export type RateLimits = ReturnType<typeof createLimits>;

/**
 * The limits of this process: calls in 10 s, bytes per day. `attempts` has the counts of sign-in
 * attempts in 15 min and of verification mails.
 */
export function createLimits(
  perWindow: number,
  signIns: number,
  perDay: BytesPerDay,
  attempts = countInMemory,
) {
  const anonymousPoints = Math.max(1, Math.floor(perWindow / 5));
  const credentials = limiter("calls", perWindow, windowSeconds);
  const users = limiter("user-calls", perWindow * credentialsPerUser, windowSeconds);
  const signedUrls = limiter("signed-urls", perWindow, windowSeconds);
  const anonymousNetworks = networkLimiter("anonymous", anonymousPoints, windowSeconds);
  const unauthenticated = networkLimiter("unauthenticated", perWindow, windowSeconds);
  const pages = networkLimiter("pages", perWindow, windowSeconds);
  const mails = Math.ceil(signIns / 2);
  const verifications = limiter("verification", mails, hourSeconds, "calls", attempts);
  const charge = async (payer: Counted, calls: number) => {
    if (calls === 0) return undefined;
    if ("ip" in payer) return anonymousNetworks.add(networkOf(payer.ip), calls);
    await users.add(payer.user, calls);
    return credentials.add(payer.credential, calls);
  };
  return {
    ...signInLimits(signIns, attempts),
    ...dayLimits(perDay),
    lookup: lookupLimit(anonymousPoints),
    /** Counts calls of a verified credential, and of its user with all credentials together. */
    async credential({ credential, user }: Proven, count: number) {
      const headers = await credentials.count(credential, count);
      await users.count(user, count);
      return headers;
    },
    /** Counts calls of a client address: without a credential, or with an unverified one. */
    client: (ip: string, count: number) => anonymousNetworks.count(networkOf(ip), count),
    /** Charges calls of work that has begun: its caller has fewer calls left. */
    chargeCalls: charge,
    /** Charges the bytes of an answer, after it was made: its caller has fewer calls left. */
    chargeBytes: (payer: Counted, bytes: number) => charge(payer, Math.floor(bytes / bytesPerCall)),
    /** Charges the events of a write, or its rows, afterwards: its caller has fewer calls left. */
    chargeEvents: (payer: Counted, events: number) =>
      charge(payer, Math.floor(events / eventsPerCall)),
    /** Counts a download by a URL that a user has signed, apart from the user's calls. */
    signedUrl: (signer: string, ip: string) => signedUrls.count(`${signer} ${networkOf(ip)}`, 1),
    /** Counts calls of a client address that may prove their caller. */
    unauthenticated: (ip: string, count: number) => unauthenticated.count(networkOf(ip), count),
    /** Takes back one of these calls. */
    authenticated: (ip: string) => unauthenticated.refund(networkOf(ip), 1),
    /** Counts a page, a file of one, or the document, for the network that reads it. */
    page: (ip: string) => pages.count(networkOf(ip), 1),
    /** Counts a wrong operator's key for a client address. */
    badCredential: (ip: string) => anonymousNetworks.count(networkOf(ip), 1),
    /** Counts a verification mail that a user requests. */
    verification: (userId: bigint) => verifications.count(String(userId), 1),
  };
}

/**
 * Looks for a credential; only failed searches count, apart from anonymous calls.
 *
 * A proven credential counts for itself, a guess for its client address.
 */
function lookupLimit(points: number) {
  const lookups = networkLimiter("credentials", points, windowSeconds);
  return async <Result>(
    claimant: Lookup,
    find: () => Promise<Result>,
    isFound: (result: Result) => boolean,
  ): Promise<Result> => {
    const key = "credential" in claimant ? `of ${claimant.credential}` : networkOf(claimant.ip);
    const refund = () => lookups.refund(key, 1);
    await lookups.count(key, 1);
    const result = await unlessFailed(find, refund);
    if (isFound(result)) await refund();
    return result;
  };
}

/** The limits of the bytes that an account writes per day. */
function dayLimits(perDay: BytesPerDay) {
  const storedBytes = limiter("stored", perDay.stored, daySeconds, "bytes");
  return {
    /** The bytes of text that each user may write. */
    texts: limiter("text", perDay.text, daySeconds, "bytes of text"),
    /** The bytes of responses of webhooks' receivers that are stored for each workspace. */
    responses: limiter("responses", responseBytes, daySeconds, "bytes of responses"),
    /** Charges the bytes that a write of a user has stored: later writes may be refused. */
    stored: (userId: bigint, bytes: number) => storedBytes.add(String(userId), bytes),
    /** Throws when a user has stored as much as an account may in a day. */
    checkStored: (userId: bigint) => storedBytes.check(String(userId)),
  };
}
