import type { Caller } from "../../kernel/access/callers.ts";
import { CountedBytes } from "../../kernel/request/byte-budget.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { type Failure, failure } from "../../platform/errors.ts";
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

type Sender = { caller: Pick<Caller, "userId">; deps: Pick<Deps, "limits"> };

/** The text of a file, which counts for its sender only when the file starts an import. */
const sentText = ({ caller: { userId }, deps: { limits } }: Sender) =>
  new CountedBytes({
    count: (bytes) => limits.text(userId, bytes),
    refund: (bytes) => limits.refundText(userId, bytes),
  });

/** Receives a file to import when few of the user's files are being sent. */
export const inUploadTurn = <Result>(
  sender: Sender,
  receive: (text: CountedBytes) => Promise<Result>,
) => uploads.run(String(sender.caller.userId), () => receive(sentText(sender)));

/** 415 for an upload over tRPC. */
export const restOnly = (path: string): Failure =>
  failure("rest_only", `Upload over REST: POST the file to /api/v1${path}.`);
