import {
  DestinationShares,
  type AttemptUse,
  type HostLimits,
} from "../../../platform/http/destination-shares.ts";
import { TokenBucket } from "../../../platform/token-bucket.ts";
import { FairShare } from "../../../platform/fair-share.ts";
import { attemptsPerWebhook, type WebhookQueue } from "./webhook-queue.ts";
import { getOrInsert } from "../../../platform/maps.ts";

/** The limits of one process; `accountRate` is the attempts per second of an account. */
export type SchedulerLimits = { slots: number; accountRate: number } & HostLimits;

/** The part of all slots that one account, or all unproven receivers together, can use. */
const maxShare = 0.5;
/** While at most this part of the slots is used, a webhook can use more than one. */
const sharedSlots = 0.75;
/** After a pause an account sends the attempts of this many seconds at once. */
const burstSeconds = 10;

/**
 * Decides which webhook gets the next free slot.
 *
 * Slow receivers of one account, in however many workspaces, leave slots to others.
 */
export class WebhookScheduler {
  readonly #limits: SchedulerLimits;
  readonly #maxShare: number;
  /** The slots: the tenants are the accounts, and the callers their workspaces. */
  readonly #share: FairShare;
  readonly #rates = new Map<bigint, TokenBucket>();
  readonly #receivers: DestinationShares;
  #unproven = 0;

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
    this.#receivers = new DestinationShares(limits);
    this.#maxShare = Math.max(1, Math.floor(limits.slots * maxShare));
    const [size, perTenant] = [limits.slots, this.#maxShare];
    this.#share = new FairShare({ size, perCaller: perTenant, perTenant });
  }

  /** How many attempts are in flight. */
  get inFlight(): number {
    return this.#share.running;
  }

  /**
   * The queue of the account with the fewest attempts in flight; the least recent one first.
   *
   * The workspaces of an account take turns in the same way.
   */
  next(queues: Iterable<WebhookQueue>): WebhookQueue | undefined {
    let best: WebhookQueue | undefined;
    for (const queue of queues) {
      if (!queue.hasWaiting || !this.#canStart(queue) || this.waitMs(queue) > 0) continue;
      if (best === undefined || this.#compare(queue, best) < 0) best = queue;
    }
    return best;
  }

  #compare(one: WebhookQueue, other: WebhookQueue): number {
    return this.#share.compare(turnOf(one), turnOf(other)) || one.startedAt - other.startedAt;
  }

  #canStart(queue: WebhookQueue): boolean {
    return (
      (queue.inFlight === 0 || this.inFlight < this.#limits.slots * sharedSlots) &&
      queue.inFlight < attemptsPerWebhook &&
      this.#share.hasCapacity(turnOf(queue)) &&
      this.#receivers.hasCapacity(queue.host, queue.workspaceId) &&
      (queue.isProven || this.#unproven < this.#maxShare)
    );
  }

  /** How long until the rates of a queue's account, host and addresses allow an attempt. */
  waitMs(queue: WebhookQueue): number {
    const account = this.#rates.get(queue.accountId)?.waitMs() ?? 0;
    return Math.max(account, this.#receivers.waitMs(queue.host));
  }

  /** Counts an attempt, for its host and the addresses that this had at the last one. */
  start(queue: WebhookQueue): AttemptUse {
    const { accountId, workspaceId, isProven, host } = queue;
    const receiver = this.#receivers.start(host, workspaceId);
    const end = this.#share.start(turnOf(queue));
    const rate = this.#rateOf(accountId);
    rate.take();
    if (!isProven) this.#unproven++;
    return {
      connect: (addresses) => {
        const isAdmitted = receiver.connect(addresses);
        if (!isAdmitted) rate.refund();
        return isAdmitted;
      },
      end: () => {
        receiver.end();
        end();
        if (!isProven) this.#unproven--;
      },
    };
  }

  /** Forgets the rates and receivers that have had no attempt for some time. */
  forgetIdle(): void {
    this.#receivers.forgetIdle();
    for (const [id, rate] of this.#rates) if (rate.isFull()) this.#rates.delete(id);
  }

  #rateOf(accountId: bigint): TokenBucket {
    const { accountRate } = this.#limits;
    const make = () => new TokenBucket(accountRate, accountRate * burstSeconds);
    return getOrInsert(this.#rates, accountId, make);
  }
}

const turnOf = ({ accountId, workspaceId }: WebhookQueue) => ({
  caller: workspaceId,
  tenant: accountId,
});
