import type { FairShare, ShareLimits } from "../../platform/fair-share.ts";
import type { Context } from "./context.ts";
import { networkPrefix } from "./network.ts";

/**
 * How callers take turns with large answers.
 *
 * An answer of megabytes holds the event loop while it is made, so that others wait.
 */
export const largeReadShares: ShareLimits = {
  size: 2,
  perCaller: 1,
  perTenant: 1,
  queue: 200,
  queuePerCaller: 32,
  waitMs: 5_000,
};

/** How anonymous networks share the same: they do not use the turns of users. */
export const anonymousReadShares: ShareLimits = { ...largeReadShares, size: 1 };

/**
 * How callers take turns with reads of pages: the texts of a hundred items may be megabytes.
 *
 * Most pages are small, so that more are made at a time than of large answers.
 */
export const pageReadShares: ShareLimits = {
  size: 16,
  perCaller: 4,
  perTenant: 8,
  queue: 2_000,
  queuePerCaller: 256,
  waitMs: 5_000,
};

/**
 * How callers take turns with answers that are made of several reads: tools, and `/kan`.
 *
 * Each may read a large board and render it, and holds the event loop for a turn at a time.
 */
export const combinedReadShares: ShareLimits = {
  size: 8,
  perCaller: 1,
  perTenant: 2,
  queue: 2_000,
  queuePerCaller: 256,
  waitMs: 5_000,
};

type Caller = Pick<Context, "client" | "checkLimit">;
type ReadCall = Caller & { deps: { largeReads: FairShare; anonymousReads: FairShare } };

/** Makes a large answer in the turn of its caller; 429 as `inTurn`. */
export function readLarge<Result>(ctx: ReadCall, read: () => Promise<Result>): Promise<Result> {
  const { client, deps } = ctx;
  const shares = client.startsWith(networkPrefix) ? deps.anonymousReads : deps.largeReads;
  return inTurn(shares, ctx, read);
}

/** Reads a page in a turn of its caller; 429 as `inTurn`. */
export const readPageInTurn = <Result>(
  ctx: Caller & { deps: { pageReads: FairShare } },
  read: () => Promise<Result>,
): Promise<Result> => inTurn(ctx.deps.pageReads, ctx, read);

/** Makes an answer of several reads in a turn of its caller; 429 as `inTurn`. */
export const combineInTurn = <Result>(
  ctx: Caller & { deps: { combinedReads: FairShare } },
  read: () => Promise<Result>,
): Promise<Result> => inTurn(ctx.deps.combinedReads, ctx, read);

/**
 * Makes an answer in a turn of its caller.
 *
 * 429 when the answers before have used up the limit of the caller: calls that were sent at the
 * same moment were counted before any of these was charged.
 */
const inTurn = <Result>(shares: FairShare, ctx: Caller, read: () => Promise<Result>) =>
  shares.run(ctx.client, async () => {
    await ctx.checkLimit?.();
    return read();
  });

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
