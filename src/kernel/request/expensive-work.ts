import type { ShareLimits } from "../../platform/fair-share.ts";
import type { Context } from "./context.ts";
import type { Deps } from "./deps.ts";
import { networkPrefix } from "./network.ts";

/**
 * How callers share the event loop with answers that hold it: in units of a page.
 *
 * A page may have the texts of a hundred items, which may be megabytes; most are small.
 */
export const readShares: ShareLimits = {
  size: 32,
  perCaller: 8,
  perTenant: 8,
  queue: 2_000,
  queuePerCaller: 256,
  waitMs: 5_000,
};

/** The units of an answer of megabytes, or one of several reads: a caller makes one at a time. */
const largeUnits = 8;

/** Networks share what one user has: many of them do not use up the turns of users. */
const networks = "networks";

type Caller = Pick<Context, "client" | "checkLimit"> & { deps: Pick<Deps, "reads"> };

/** Makes a large answer in the turn of its caller; 429 as `inTurn`. */
export const readLarge = <Result>(ctx: Caller, read: () => Promise<Result>): Promise<Result> =>
  inTurn(ctx, read, largeUnits);

/** Reads a page in a turn of its caller; 429 as `inTurn`. */
export const readPageInTurn = <Result>(ctx: Caller, read: () => Promise<Result>): Promise<Result> =>
  inTurn(ctx, read, 1);

/**
 * Makes an answer in a turn of its caller. A call within one that has begun is in its turn.
 *
 * 429 when the answers before have used up the limit of the caller: calls that were sent at the
 * same moment were counted before any of these was charged.
 */
function inTurn<Result>(
  { client, checkLimit, deps: { reads } }: Caller,
  read: () => Promise<Result>,
  units: number,
): Promise<Result> {
  if (checkLimit === undefined) return read();
  if (client.startsWith(networkPrefix)) reads.assign(client, networks);
  const readWithinLimit = async () => {
    await checkLimit();
    return read();
  };
  return reads.run(client, readWithinLimit, units);
}

/** How client networks share the hashing of passwords, which holds a processor for 20 ms. */
export const hashingShares: ShareLimits = {
  size: 2,
  perCaller: 1,
  perTenant: 1,
  queue: 1_000,
  queuePerCaller: 200,
  waitMs: 10_000,
};

/**
 * How callers share calls to other services, which may take a minute.
 *
 * There is no limit for all callers together: a few with slow services would stop the others.
 */
export const outgoingShares: ShareLimits = {
  size: Number.MAX_SAFE_INTEGER,
  perCaller: 2,
  perTenant: 2,
  queue: 10_000,
  queuePerCaller: 100,
  waitMs: 30_000,
};

/** Boards of workspaces with more cards than this are read by turns. */
export const largeFrom = 1_000;
