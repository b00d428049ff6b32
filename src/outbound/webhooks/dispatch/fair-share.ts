import { attemptsPerWebhook, type WebhookQueue } from "./webhook-queue.ts";

/** The limits of one process. `hostRate` is in attempts per second. */
export type ShareLimits = { slots: number; hostConcurrency: number; hostRate: number };

type HostUse = { inFlight: number; tokens: number; refilledAt: number };

/** The part of all slots that one workspace, or all unproven targets together, can use. */
const maxShare = 0.5;
/** The part of all slots up to which a webhook can have more than one attempt in flight. */
const sharedSlots = 0.75;

/**
 * Decides which webhook gets the next free slot.
 *
 * Slow targets of one workspace, or of many, leave slots to proven targets of others. A host has
 * a concurrency and a rate over all workspaces, so that webhooks cannot flood it.
 */
export class FairShare {
  inFlight = 0;
  readonly #limits: ShareLimits;
  readonly #maxShare: number;
  readonly #workspaces = new Map<bigint, number>();
  readonly #hosts = new Map<string, HostUse>();
  #unproven = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
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
    const difference = this.#usedBy(one) - this.#usedBy(other);
    return difference === 0 ? one.startedAt < other.startedAt : difference < 0;
  }

  #canStart(queue: WebhookQueue): boolean {
    const { slots, hostConcurrency } = this.#limits;
    const available = queue.inFlight === 0 ? slots : slots * sharedSlots;
    return (
      this.inFlight < available &&
      queue.inFlight < attemptsPerWebhook &&
      this.#usedBy(queue) < this.#maxShare &&
      this.#hostOf(queue).inFlight < hostConcurrency &&
      (queue.isProven || this.#unproven < this.#maxShare)
    );
  }

  /** How long until the host of a queue accepts another attempt. */
  waitMs(queue: WebhookQueue): number {
    const use = this.#hostOf(queue);
    this.#refill(use);
    return use.tokens >= 1 ? 0 : ((1 - use.tokens) / this.#limits.hostRate) * 1_000;
  }

  /** Counts an attempt; the returned function ends it. */
  start(queue: WebhookQueue): () => void {
    const { workspaceId, isProven } = queue;
    const use = this.#hostOf(queue);
    use.tokens--;
    use.inFlight++;
    this.inFlight++;
    if (!isProven) this.#unproven++;
    this.#workspaces.set(workspaceId, this.#usedBy(queue) + 1);
    return () => {
      use.inFlight--;
      this.inFlight--;
      if (!isProven) this.#unproven--;
      const left = (this.#workspaces.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#workspaces.delete(workspaceId);
      else this.#workspaces.set(workspaceId, left);
    };
  }

  /** Forgets hosts that have had no attempt for a second. */
  forgetIdle(): void {
    for (const [host, use] of this.#hosts) {
      this.#refill(use);
      if (use.inFlight === 0 && use.tokens >= this.#limits.hostRate) this.#hosts.delete(host);
    }
  }

  #usedBy({ workspaceId }: WebhookQueue): number {
    return this.#workspaces.get(workspaceId) ?? 0;
  }

  #hostOf({ host }: WebhookQueue): HostUse {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const use = { inFlight: 0, tokens: this.#limits.hostRate, refilledAt: performance.now() };
    this.#hosts.set(host, use);
    return use;
  }

  #refill(use: HostUse): void {
    const now = performance.now();
    const added = ((now - use.refilledAt) / 1_000) * this.#limits.hostRate;
    use.tokens = Math.min(this.#limits.hostRate, use.tokens + added);
    use.refilledAt = now;
  }
}
