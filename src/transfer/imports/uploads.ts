import type { Caller } from "../../kernel/access/callers.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";

/**
 * How users send files to import: each file is on disk until it is examined.
 *
 * There is no limit for all users together: a few who send slowly would stop the others.
 */
export const uploadShares: ShareLimits = {
  size: Number.MAX_SAFE_INTEGER,
  perCaller: 2,
  perTenant: 2,
  queue: 1_000,
  queuePerCaller: 4,
  waitMs: 60_000,
};
const uploads = new FairShare(uploadShares);

/** Receives a file to import when few of the user's files are being sent. */
export const inUploadTurn = <Result>({ userId }: Caller, receive: () => Promise<Result>) =>
  uploads.run(String(userId), receive);
