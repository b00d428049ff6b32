import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../kernel/request/deps.ts";
import { leaseDue, type DueDelivery } from "./lease-due.ts";
import { findPending } from "./find-pending.ts";
import { releaseLeases, renewLeases } from "./leases.ts";
import { serialLoop, type SerialLoop } from "./write-results.ts";
import { readAhead, WebhookQueue } from "./webhook-queue.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";
import { getOrInsert } from "../../../platform/maps.ts";

const batch = 1_000;

const statement = (webhookId: bigint, now: Date) => sql`UPDATE deliveries
  SET status = 'failed', "nextAttemptAt" = NULL, "finishedAt" = ${now}::timestamptz,
    error = CASE WHEN w."deletedAt" IS NOT NULL THEN 'The webhook was deleted.'
      WHEN NOT w.active THEN 'The webhook is inactive.'
      ELSE 'The event was deleted: it is older than the retention period.' END
  FROM webhooks w
  WHERE w.id = ${webhookId} AND deliveries.id IN (
    SELECT d.id FROM deliveries d
    WHERE d."webhookId" = ${webhookId} AND d.status = 'pending'
      AND (NOT w.active OR w."deletedAt" IS NOT NULL OR d."eventId" IS NULL)
    LIMIT ${sql.number(batch)} FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING deliveries.id`;

/** Fails a batch of deliveries that cannot be sent; returns whether there may be more. */
async function endPending(query: Query, webhookId: bigint, now: Date): Promise<boolean> {
  const ended = await query(statement(webhookId, now));
  return ended.length === batch;
}

/** The state that a claimer shares; `capacity` says how many more attempts can start. */
type Options = {
  leaseHolder: string;
  slots: number;
  queues: Map<bigint, WebhookQueue>;
  capacity: () => number;
  onClaimed: () => void;
  onIdle: () => void;
};

const idleMs = 5_000;
const retryMs = 500;
/** The pause after an empty poll, so that one poll serves many writes. */
const emptyPollMs = 10;
/** How many webhooks a full poll examines; the next one continues behind them. */
export const webhooksPerPoll = 1_000;
/** How many webhooks are leased for each slot; one account gets at most half of them. */
const leasesPerSlot = 2;

/** Leases webhooks in one loop, so that no delivery is read twice. */
export class Claimer {
  readonly #deps: Pick<Deps, "db" | "clock" | "log">;
  readonly #options: Options;
  readonly #changed = new Set<bigint>();
  readonly #loop: SerialLoop;
  #pollsAll = false;
  /** The last webhook that a full poll has examined. */
  #polledTo = 0n;
  #renews = false;
  #isStopping = false;

  constructor(deps: Pick<Deps, "db" | "clock" | "log">, options: Options) {
    this.#deps = deps;
    this.#options = options;
    const canRun = () => !this.#isStopping && (this.#renews || this.#canClaim());
    this.#loop = serialLoop(() => this.#run(), canRun, options.onIdle);
  }

  /** Looks for due deliveries in a workspace or in all. */
  poll(where: bigint | "all"): void {
    if (where === "all") this.#pollsAll = true;
    else this.#changed.add(where);
    this.#loop.wake();
  }

  /** Renews the leases of busy webhooks and releases idle ones. */
  renewLeases(): void {
    this.#renews = true;
    this.#loop.wake();
  }

  /** Continues when queues can take more deliveries. */
  wake(): void {
    this.#loop.wake();
  }

  isBusy(): boolean {
    return this.#loop.isBusy();
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Releases all leases. */
  async release(): Promise<void> {
    const { queues, leaseHolder } = this.#options;
    const webhooks = [...queues.values()];
    queues.clear();
    const { db, log } = this.#deps;
    await releaseLeases(db.write, leaseHolder, idsOf(webhooks)).catch((error: unknown) =>
      log.warn({ err: error }, "releasing the leases of webhooks failed"),
    );
  }

  #needingRead(): WebhookQueue[] {
    return [...this.#options.queues.values()].filter((queue) => queue.needsRead);
  }

  #canClaim(): boolean {
    const hasWork = () =>
      this.#pollsAll || this.#changed.size > 0 || this.#needingRead().length > 0;
    return this.#options.capacity() > 0 && hasWork();
  }

  async #run(): Promise<void> {
    try {
      if (this.#renews) await this.#renew();
      if (this.#canClaim()) await this.#claim();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "reading due webhook deliveries failed");
      this.#pollsAll = true;
      await pause(retryMs);
    }
  }

  async #claim(): Promise<void> {
    const { db, clock } = this.#deps;
    const { leaseHolder, slots, queues, capacity, onClaimed } = this.#options;
    const pollsAll = this.#pollsAll;
    const workspaceIds = [...this.#changed];
    for (const queue of queues.values()) {
      if (pollsAll || this.#changed.has(queue.workspaceId)) queue.hasMore = true;
    }
    const webhooks = this.#needingRead();
    for (const queue of webhooks) queue.hasMore = false;
    this.#pollsAll = false;
    this.#changed.clear();
    const busy = [...queues.values()].filter(({ isDrained }) => !isDrained);
    const due = await leaseDue(db.write, {
      leaseHolder,
      now: clock(),
      workspaceIds,
      pendingIds: pollsAll ? await this.#findPending() : [],
      webhookIds: idsOf(webhooks),
      maxWebhooks: Math.max(0, Math.min(capacity(), leasesPerSlot * slots - busy.length)),
      startedIds: [...queues.values()].flatMap(({ unwritten }) => [...unwritten]),
      readAhead,
      busyIds: idsOf(busy),
      maxPerAccount: slots,
    });
    for (const delivery of due) {
      // Every leased webhook has a queue, so that its lease is released.
      const queue = this.#queueOf(delivery);
      if (delivery.isSendable) queue.add(delivery);
    }
    onClaimed();
    if (due.length === 0 && !pollsAll) await pause(emptyPollMs);
    const unsendable = due.filter(({ isSendable }) => !isSendable);
    for (const webhookId of new Set(unsendable.map((delivery) => delivery.webhookId))) {
      if (await endPending(db.write, webhookId, clock())) this.#pollsAll = true;
    }
  }

  /** Finds webhooks with pending deliveries, a limited number per poll. */
  async #findPending(): Promise<bigint[]> {
    const webhookIds = await findPending(this.#deps.db.write, this.#polledTo, webhooksPerPoll);
    this.#polledTo = webhookIds.length < webhooksPerPoll ? 0n : (webhookIds.at(-1) ?? 0n);
    return webhookIds;
  }

  #queueOf(delivery: DueDelivery): WebhookQueue {
    const { queues } = this.#options;
    return getOrInsert(queues, delivery.webhookId, () => new WebhookQueue(delivery));
  }

  async #renew(): Promise<void> {
    const { db, clock } = this.#deps;
    const { queues, leaseHolder } = this.#options;
    this.#renews = false;
    const [idle, busy]: [WebhookQueue[], WebhookQueue[]] = [[], []];
    for (const queue of queues.values()) {
      // A blocked queue leaves its lease to another webhook of its account.
      if (queue.isBlocked(idleMs)) queue.discard();
      (queue.isIdle(idleMs) ? idle : busy).push(queue);
    }
    const renewed = await renewLeases(db.write, leaseHolder, idsOf(busy), clock());
    for (const queue of busy.filter(({ webhookId }) => !renewed.has(webhookId))) {
      queue.discard();
      // A queue with attempts in flight stays, so that these do not start twice.
      if (queue.isDrained) queues.delete(queue.webhookId);
    }
    await releaseLeases(db.write, leaseHolder, idsOf(idle));
    for (const { webhookId } of idle) queues.delete(webhookId);
  }
}

const idsOf = (queues: WebhookQueue[]) => queues.map(({ webhookId }) => webhookId);
