import type { ShareLimits } from "../../platform/fair-share.ts";

/**
 * How callers share the making of large answers.
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

/** Boards of workspaces with more cards than this are read by turns. */
export const largeFrom = 1_000;
