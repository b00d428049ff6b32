import type { Query } from "../../platform/db/query.ts";
import { Turns } from "../../platform/turns.ts";
import { claim, type ClaimedJob, type Claim } from "./claim.ts";

/** The part of the workers that the jobs of one account can use. */
const maxShare = 0.5;

/** The workers of this process that share a queue: one account leaves some to others. */
export class JobSlots {
  readonly #maxPerAccount: number;
  readonly #accounts = new Turns();
  readonly #ends = new Map<string, () => void>();
  #claimed: Promise<unknown> = Promise.resolve();

  constructor(workers: number) {
    this.#maxPerAccount = Math.max(1, Math.floor(workers * maxShare));
  }

  /** Claims a job; `end` frees its worker. One claim at a time, so that each sees the last one. */
  claim(query: Query, due: Omit<Claim, "busyAccounts">): Promise<ClaimedJob | null> {
    const claimed = this.#claimed.then(async () => {
      const busyAccounts = this.#accounts.busyWith(this.#maxPerAccount);
      const job = await claim(query, { ...due, busyAccounts });
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
