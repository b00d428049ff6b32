import {
  TargetShares,
  type AttemptUse,
  type HostLimits,
} from "../../../platform/http/target-shares.ts";
import { attemptsPerWebhook, type WebhookQueue } from "./webhook-queue.ts";

/** The limits of one process. */
export type ShareLimits = { slots: number } & HostLimits;

/** The part of all slots that one workspace, or all unproven targets together, can use. */
const maxShare = 0.5;
/** The part of all slots up to which a webhook can have more than one attempt in flight. */
const sharedSlots = 0.75;

/**
 * Decides which webhook gets the next free slot.
 *
 * Slow targets of one workspace, or of many, leave slots to proven targets of others.
 */
export class FairShare {
  inFlight = 0;
  readonly #limits: ShareLimits;
  readonly #maxShare: number;
  readonly #workspaces = new Map<bigint, { inFlight: number; startedAs: number }>();
  readonly #targets: TargetShares;
  #unproven = 0;
  #starts = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
    this.#targets = new TargetShares(limits);
    this.#maxShare = Math.max(1, Math.floor(limits.slots * maxShare));
  }

  /** The queue of the workspace with the fewest attempts in flight; the least recent one first. */
  next(queues: Iterable<WebhookQueue>): WebhookQueue | undefined {
    let best: WebhookQueue | undefined;
    for (const queue of queues) {
      if (!queue.hasWaiting || !this.#canStart(queue) || this.waitMs(queue) > 0) continue;
      if (best === undefined || this.#isBefore(queue, best)) best = queue;
    }
    return best;
  }

  #isBefore(one: WebhookQueue, other: WebhookQueue): boolean {
    const [first, second] = [this.#usedBy(one), this.#usedBy(other)];
    if (first.inFlight !== second.inFlight) return first.inFlight < second.inFlight;
    return first.startedAs === second.startedAs
      ? one.startedAt < other.startedAt
      : first.startedAs < second.startedAs;
  }

  #canStart(queue: WebhookQueue): boolean {
    const { slots } = this.#limits;
    const available = queue.inFlight === 0 ? slots : slots * sharedSlots;
    return (
      this.inFlight < available &&
      queue.inFlight < attemptsPerWebhook &&
      this.#usedBy(queue).inFlight < this.#maxShare &&
      this.#targets.hasCapacity(queue.host, queue.workspaceId) &&
      (queue.isProven || this.#unproven < this.#maxShare)
    );
  }

  /** How long until the host and the addresses of a queue accept another attempt. */
  waitMs(queue: WebhookQueue): number {
    return this.#targets.waitMs(queue.host);
  }

  /** Counts an attempt, for its host and the addresses that this had at the last one. */
  start(queue: WebhookQueue): AttemptUse {
    const { workspaceId, isProven, host } = queue;
    const target = this.#targets.start(host, workspaceId);
    const { inFlight } = this.#usedBy(queue);
    this.#workspaces.set(workspaceId, { inFlight: inFlight + 1, startedAs: ++this.#starts });
    this.inFlight++;
    if (!isProven) this.#unproven++;
    return {
      connect: (addresses) => target.connect(addresses),
      end: () => {
        target.end();
        this.inFlight--;
        if (!isProven) this.#unproven--;
        const use = this.#usedBy(queue);
        this.#workspaces.set(workspaceId, { ...use, inFlight: use.inFlight - 1 });
      },
    };
  }

  /** Forgets hosts, addresses and workspaces that have had no attempt for a second. */
  forgetIdle(): void {
    this.#targets.forgetIdle();
    for (const [id, { inFlight }] of this.#workspaces) {
      if (inFlight === 0) this.#workspaces.delete(id);
    }
  }

  #usedBy({ workspaceId }: WebhookQueue): { inFlight: number; startedAs: number } {
    return this.#workspaces.get(workspaceId) ?? { inFlight: 0, startedAs: 0 };
  }
}
