import type { Caller } from "../../kernel/access/callers.ts";
import { FairShare } from "../../platform/fair-share.ts";

/**
 * How users send files to import: each file is on disk until it is examined.
 *
 * There is no limit for all users together: a few who send slowly would stop the others.
 */
const uploads = new FairShare({
  size: Number.MAX_SAFE_INTEGER,
  perCaller: 2,
  perTenant: 2,
  queue: 1_000,
  queuePerCaller: 4,
  waitMs: 60_000,
});

/** Receives a file to import when few of the user's files are being sent. */
export const inUploadTurn = <Result>({ userId }: Caller, receive: () => Promise<Result>) =>
  uploads.run(String(userId), receive);
