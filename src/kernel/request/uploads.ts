import { BudgetUse, type ByteBudget } from "../../platform/byte-budget.ts";
import { failure } from "../../platform/errors.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { bytesOf, type RequestBody } from "../../platform/http/byte-body.ts";
import type { SendRate } from "../../platform/http/pace.ts";
import { SharedBudget } from "../../platform/http/shared-budget.ts";
import { networkOf } from "./network.ts";

/** How users send files. The limit for all users together is that of open files. */
export const receiveShares: ShareLimits = {
  size: Number.MAX_SAFE_INTEGER,
  perCaller: 20,
  perTenant: 20,
  queue: 2_000,
  queuePerCaller: 100,
  waitMs: 60_000,
};

/** How files are received: by turns of each user, how many in total, and at which rate. */
export type UploadLimits = { receiveShares: ShareLimits; maxOpen: number; rate: SendRate };

/** The limits of this process, for senders who send so many bytes per second. */
export const uploadLimits = (bytesPerSecond: number): UploadLimits => ({
  receiveShares,
  maxOpen: 500,
  rate: { bytesPerSecond, windowMs: 60_000 },
});

/** The call whose body is the file. */
type UploadCall = {
  client: string;
  userId?: bigint | undefined;
  requestMetadata: { ip: string };
  requestBody?: RequestBody | undefined;
  responseMeta: { replayed?: boolean };
};

/**
 * Receives files that are bodies of requests.
 *
 * A user has few at a time. When there are too many, the client network with the most loses its
 * oldest: slow senders do not stop others, however many accounts they use.
 */
export class Uploads {
  /** How slowly bodies may arrive. */
  readonly rate: SendRate;
  readonly #shares: FairShare;
  readonly #open: SharedBudget;
  /** What users may send per day. */
  readonly bytes: ByteBudget;

  constructor(limits: UploadLimits, bytes: ByteBudget) {
    this.rate = limits.rate;
    this.#shares = new FairShare(limits.receiveShares);
    this.#open = new SharedBudget(limits.maxOpen);
    this.bytes = bytes;
  }

  /**
   * Runs a call that reads the body. Its bytes count for the user, unless the call fails.
   *
   * `onUnread` is called when a part of the body is left: then the connection cannot go on.
   */
  receive<Result>(
    ctx: UploadCall,
    request: Request,
    run: () => Promise<Result>,
    onUnread: () => void,
  ): Promise<Result> {
    return this.#shares.run(ctx.client, async () => {
      const ended = new AbortController();
      const network = networkOf(ctx.requestMetadata.ip);
      const release = this.#open.take(network, 1, () => ended.abort(tooMany()));
      const counted = new BudgetUse(this.bytes, ctx.userId?.toString());
      const progress = { isRead: request.body === null };
      ctx.requestBody = countedBody(bytesOf(request, this.rate, ended.signal), counted, progress);
      try {
        const result = await run();
        if (ctx.responseMeta.replayed === true) await counted.refund();
        return result;
      } catch (error) {
        await counted.refund();
        throw error;
      } finally {
        release();
        if (!progress.isRead) onUnread();
      }
    });
  }
}

/** A body whose length counts before it is read, or whose bytes count as they arrive. */
function countedBody(
  body: RequestBody,
  counted: BudgetUse,
  progress: { isRead: boolean },
): RequestBody {
  async function* bytes() {
    if (body.length !== undefined) await counted.add(body.length);
    for await (const chunk of body.bytes) {
      if (body.length === undefined) await counted.add(chunk.byteLength);
      yield chunk;
    }
    progress.isRead = true;
  }
  return { ...body, bytes: bytes() };
}

/** 503. The rest of the body is not read, so the connection is closed. */
const tooMany = () =>
  failure("overloaded", "The service is receiving too many files. Try again later.", {
    headers: { Connection: "close" },
  });
