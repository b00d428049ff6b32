import type { Query } from "../../platform/db/query.ts";
import { FairOrder } from "../../platform/fair-order.ts";
import { claimJob, type ClaimedJob, type ClaimRequest } from "./claim.ts";

/** The part of the workers that the jobs of one account can use. */
const maxShare = 0.5;

/** The workers of this process that share a queue: one account leaves some to others. */
export class JobSlots {
  readonly #maxPerAccount: number;
  readonly #accounts = new FairOrder();
  readonly #ends = new Map<string, () => void>();
  #claimed: Promise<unknown> = Promise.resolve();

  constructor(workers: number) {
    this.#maxPerAccount = Math.max(1, Math.floor(workers * maxShare));
  }

  /** Claims a job; `end` frees its worker. One claim at a time, so that each sees the last one. */
  claim(query: Query, due: Omit<ClaimRequest, "busyAccounts">): Promise<ClaimedJob | null> {
    const claimed = this.#claimed.then(async () => {
      const busyAccounts = this.#accounts.busyWith(this.#maxPerAccount);
      const job = await claimJob(query, { ...due, busyAccounts });
      if (job !== null) this.#ends.set(job.lease, this.#accounts.start(job.accountId));
      return job;
    });
    this.#claimed = claimed.catch(() => undefined);
    return claimed;
  }

  /** Frees the worker of a job. */
  end({ lease }: ClaimedJob): void {
    this.#ends.get(lease)?.();
    this.#ends.delete(lease);
    this.#accounts.forgetIdle();
  }
}
