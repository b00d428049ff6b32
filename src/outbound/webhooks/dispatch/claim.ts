import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../kernel/request/deps.ts";
import { claimDue, type DueDelivery } from "./due.ts";
import { endPending } from "./end-pending.ts";
import { releaseLeases, renewLeases } from "./leases.ts";
import { serialLoop } from "./serial-loop.ts";
import { readAhead, WebhookQueue } from "./webhook-queue.ts";

/** Leases webhooks and reads their due deliveries into queues. */
export type Claimer = {
  /** Looks for due deliveries in a workspace or in all. */
  poll(where: bigint | "all"): void;
  /** Renews the leases of busy webhooks and releases idle ones. */
  renewLeases(): void;
  /** Continues when queues can take more deliveries. */
  wake(): void;
  isBusy(): boolean;
  stop(): void;
  /** Releases all leases. */
  release(): Promise<void>;
};

/** What a claimer works on; `capacity` says how many more attempts can start. */
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

/** Creates a claimer. It has one loop, so that no delivery is read twice. */
export function createClaimer(deps: Deps, options: Options): Claimer {
  const { clock, log } = deps;
  const { leaseHolder, slots, queues, capacity, onClaimed, onIdle } = options;
  const query = deps.db.write;
  const changed = new Set<bigint>();
  let pollsAll = false;
  let renews = false;
  let isStopping = false;

  const needingRead = () => [...queues.values()].filter((queue) => queue.needsRead);
  const canClaim = () =>
    capacity() > 0 && (pollsAll || changed.size > 0 || needingRead().length > 0);
  const loop = serialLoop(run, () => !isStopping && (renews || canClaim()), onIdle);

  async function run() {
    try {
      if (renews) await renew();
      if (canClaim()) await claim();
    } catch (error) {
      log.warn({ err: error }, "reading due webhook deliveries failed");
      pollsAll = true;
      await pause(retryMs);
    }
  }

  async function claim() {
    const workspaceIds = pollsAll ? "all" : [...changed];
    for (const queue of queues.values()) {
      if (pollsAll || changed.has(queue.workspaceId)) queue.hasMore = true;
    }
    const webhooks = needingRead();
    for (const queue of webhooks) queue.hasMore = false;
    pollsAll = false;
    changed.clear();
    const due = await claimDue(query, {
      leaseHolder,
      now: clock(),
      workspaceIds,
      webhookIds: webhooks.map(({ webhookId }) => webhookId),
      maxWebhooks: capacity(),
      startedIds: [...queues.values()].flatMap(({ unwritten }) => [...unwritten]),
      readAhead,
      leasedPerWorkspace: countByWorkspace(queues.values()),
      maxPerWorkspace: slots,
    });
    for (const delivery of due) {
      // Every leased webhook has a queue, so that its lease is released.
      const queue = queueOf(delivery);
      if (delivery.isSendable) queue.add(delivery);
    }
    onClaimed();
    if (due.length === 0 && workspaceIds !== "all") await pause(emptyPollMs);
    const unsendable = due.filter(({ isSendable }) => !isSendable);
    for (const webhookId of new Set(unsendable.map((delivery) => delivery.webhookId))) {
      if (await endPending(query, webhookId, clock())) pollsAll = true;
    }
  }

  function queueOf(delivery: DueDelivery) {
    const queue = queues.get(delivery.webhookId) ?? new WebhookQueue(delivery);
    queues.set(delivery.webhookId, queue);
    return queue;
  }

  async function renew() {
    renews = false;
    const [idle, busy]: [WebhookQueue[], WebhookQueue[]] = [[], []];
    for (const queue of queues.values()) (queue.isIdle(idleMs) ? idle : busy).push(queue);
    const held = await renewLeases(query, leaseHolder, idsOf(busy), clock());
    for (const queue of busy.filter(({ webhookId }) => !held.has(webhookId))) {
      queue.discard();
      // A queue with attempts in flight stays, so that these do not start twice.
      if (queue.isDrained) queues.delete(queue.webhookId);
    }
    await releaseLeases(query, leaseHolder, idsOf(idle));
    for (const { webhookId } of idle) queues.delete(webhookId);
  }

  return {
    poll(where) {
      if (where === "all") pollsAll = true;
      else changed.add(where);
      loop.wake();
    },
    renewLeases() {
      renews = true;
      loop.wake();
    },
    wake: () => loop.wake(),
    isBusy: () => loop.isBusy(),
    stop() {
      isStopping = true;
    },
    async release() {
      const webhooks = [...queues.values()];
      queues.clear();
      await releaseLeases(query, leaseHolder, idsOf(webhooks)).catch((error: unknown) =>
        log.warn({ err: error }, "releasing the leases of webhooks failed"),
      );
    },
  };
}

/** How many queues with work each workspace has. */
function countByWorkspace(queues: Iterable<WebhookQueue>): Map<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const { workspaceId, isDrained } of queues) {
    if (!isDrained) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  }
  return counts;
}

const idsOf = (queues: WebhookQueue[]) => queues.map(({ webhookId }) => webhookId);
