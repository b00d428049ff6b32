import { TargetUse, type TargetLimits } from "./target-use.ts";
import { attemptsPerWebhook, type WebhookQueue } from "./webhook-queue.ts";

/** The limits of one process. `hostRate` is in attempts per second. */
export type ShareLimits = { slots: number; hostConcurrency: number; hostRate: number };

/** The use of slots, hosts and addresses by one attempt. */
export type AttemptUse = {
  /** Counts it for the addresses of its host; false when one of them is at its limit. */
  connect(addresses: string[]): boolean;
  end(): void;
};

/** The part of all slots that one workspace, or all unproven targets together, can use. */
const maxShare = 0.5;
/** The part of all slots up to which a webhook can have more than one attempt in flight. */
const sharedSlots = 0.75;
/** An address serves several hosts: it gets this many times the limits of a host. */
const hostsPerAddress = 2;

/**
 * Decides which webhook gets the next free slot.
 *
 * Slow targets of one workspace, or of many, leave slots to proven targets of others. A host has
 * a concurrency and a rate over all workspaces, and so has an address over all its names:
 * webhooks cannot flood them.
 */
export class FairShare {
  inFlight = 0;
  readonly #limits: ShareLimits;
  readonly #maxShare: number;
  readonly #workspaces = new Map<bigint, { inFlight: number; startedAs: number }>();
  readonly #targets = new Map<string, TargetUse>();
  /** The addresses that hosts had at their last attempt. */
  readonly #addresses = new Map<string, string[]>();
  #unproven = 0;
  #starts = 0;

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
      this.#targetsOf(queue).every((use) => use.hasCapacity(queue.workspaceId)) &&
      (queue.isProven || this.#unproven < this.#maxShare)
    );
  }

  /** How long until the host and the addresses of a queue accept another attempt. */
  waitMs(queue: WebhookQueue): number {
    return Math.max(...this.#targetsOf(queue).map((use) => use.waitMs()));
  }

  /** Counts an attempt, for its host and the addresses that this had at the last one. */
  start(queue: WebhookQueue): AttemptUse {
    const { workspaceId, isProven, host } = queue;
    const ends = new Map(this.#targetsOf(queue).map((use) => [use, use.start(workspaceId)]));
    const { inFlight } = this.#usedBy(queue);
    this.#workspaces.set(workspaceId, { inFlight: inFlight + 1, startedAs: ++this.#starts });
    this.inFlight++;
    if (!isProven) this.#unproven++;
    return {
      connect: (addresses) => {
        this.#addresses.set(host, addresses);
        const added = addresses.map((key) => this.#addressOf(key)).filter((use) => !ends.has(use));
        if (!added.every((use) => use.accepts(workspaceId))) return false;
        for (const use of added) ends.set(use, use.start(workspaceId));
        return true;
      },
      end: () => {
        for (const end of ends.values()) end();
        this.inFlight--;
        if (!isProven) this.#unproven--;
        const use = this.#usedBy(queue);
        this.#workspaces.set(workspaceId, { ...use, inFlight: use.inFlight - 1 });
      },
    };
  }

  /**
   * Forgets hosts, addresses and workspaces that have had no attempt for a second.
   *
   * The addresses of a host stay while one of them has attempts: the host would try in vain.
   */
  forgetIdle(): void {
    for (const [key, use] of this.#targets) if (use.isIdle()) this.#targets.delete(key);
    for (const [host, addresses] of this.#addresses) {
      const keys = [hostKey(host), ...addresses.map(addressKey)];
      if (!keys.some((key) => this.#targets.has(key))) this.#addresses.delete(host);
    }
    for (const [id, { inFlight }] of this.#workspaces) {
      if (inFlight === 0) this.#workspaces.delete(id);
    }
  }

  #usedBy({ workspaceId }: WebhookQueue): { inFlight: number; startedAs: number } {
    return this.#workspaces.get(workspaceId) ?? { inFlight: 0, startedAs: 0 };
  }

  #targetsOf(queue: WebhookQueue): TargetUse[] {
    const addresses = this.#addresses.get(queue.host) ?? [];
    return [this.#hostOf(queue), ...addresses.map((address) => this.#addressOf(address))];
  }

  #hostOf({ host }: WebhookQueue): TargetUse {
    const { hostConcurrency: concurrency, hostRate: rate } = this.#limits;
    return this.#use(hostKey(host), { concurrency, rate, perWorkspace: concurrency });
  }

  #addressOf(address: string): TargetUse {
    const { hostConcurrency, hostRate } = this.#limits;
    return this.#use(addressKey(address), {
      concurrency: hostConcurrency * hostsPerAddress,
      rate: hostRate * hostsPerAddress,
      perWorkspace: hostConcurrency,
    });
  }

  #use(key: string, limits: TargetLimits): TargetUse {
    const use = this.#targets.get(key) ?? new TargetUse(limits);
    this.#targets.set(key, use);
    return use;
  }
}

const hostKey = (host: string) => `host ${host}`;
const addressKey = (address: string) => `address ${address}`;
