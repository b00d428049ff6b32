import type { Deps } from "../../../kernel/request/deps.ts";
import type { Config } from "../../../platform/config.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import { Claimer } from "./claim.ts";
import type { SchedulerLimits } from "./webhook-scheduler.ts";
import { createSender } from "./send.ts";
import type { WebhookQueue } from "./webhook-queue.ts";
import { createResultWriter } from "./write-results.ts";
import { webhookLeaseMs } from "./leases.ts";

/** Claims due deliveries, sends them and writes the results. Processes share webhooks by leases. */
export type Dispatcher = {
  /** Looks for due deliveries in a workspace or in all. */
  poll(where: bigint | "all"): void;
  /** Renews the leases of busy webhooks and releases idle ones. */
  renewLeases(): void;
  /** Waits until nothing is due or in flight; returns how many attempts were started in all. */
  drained(): Promise<number>;
  /** Starts no more attempts, aborts those that take longer than `graceMs`, releases the leases. */
  stop(graceMs: number): Promise<void>;
};

const shareLimits = (config: Config, slots: number): SchedulerLimits => ({
  slots,
  accountRate: config.WEBHOOK_ACCOUNT_RATE,
  hostConcurrency: config.WEBHOOK_HOST_CONCURRENCY,
  hostRate: config.WEBHOOK_HOST_RATE,
});

/** Creates a dispatcher that runs `slots` attempts at a time. */
export function createDispatcher(deps: Deps, slots: number): Dispatcher {
  const queues = new Map<bigint, WebhookQueue>();
  const waiters: (() => void)[] = [];

  const isBusy = () => !sender.isIdle() || claimer.isBusy() || writer.isBusy();
  const onIdle = () => {
    if (isBusy()) return;
    for (const resolve of waiters.splice(0)) resolve();
  };

  const writer = createResultWriter(deps, {
    onWritten(results) {
      for (const { id, webhookId } of results) queues.get(webhookId)?.unwritten.delete(id);
      claimer.wake();
    },
    onIdle,
  });
  const sender = createSender(deps, {
    limits: shareLimits(deps.config, slots),
    queues,
    onRate() {
      claimer.wake();
      onIdle();
    },
    onEnd(queue, delivery, result) {
      if (result === null) queue.takeBack(delivery);
      else writer.add(result);
      sender.fill();
      claimer.wake();
      onIdle();
    },
  });
  const claimer = new Claimer(deps, {
    leaseHolder: `${process.pid}:${publicId()}`,
    slots,
    queues,
    capacity: () => sender.capacity(),
    onClaimed: () => sender.fill(),
    onIdle,
  });

  async function drained() {
    if (isBusy()) await new Promise<void>((resolve) => waiters.push(resolve));
    return sender.attemptCount();
  }

  return {
    poll: (where) => claimer.poll(where),
    renewLeases: () => claimer.renewLeases(),
    drained,
    async stop(graceMs) {
      for (const unit of [claimer, sender, writer]) unit.stop();
      const timer = setTimeout(() => sender.abort(), graceMs);
      await drained();
      clearTimeout(timer);
      await claimer.release();
    },
  };
}

const pollMs = 1_000;
const graceMs = 8_000;

/** The dispatcher of this process; `stop` lets attempts in flight finish, or gives them back. */
type Deliveries = { stop(): Promise<void> };

/**
 * Delivers in this process, `slots` attempts at a time.
 *
 * A commit with deliveries wakes it. The poll finds retries, and the work of processes that died.
 */
export function startDeliveries(deps: Deps, slots: number): Deliveries {
  if (slots === 0) return { stop: async () => undefined };
  const dispatcher = createDispatcher(deps, slots);
  const unsubscribe = deps.notifier.subscribe(({ log, hasWork }) => {
    if (hasWork) dispatcher.poll(log.id);
  });
  const polling = setInterval(() => dispatcher.poll("all"), pollMs);
  const renewing = setInterval(() => dispatcher.renewLeases(), webhookLeaseMs / 4);
  dispatcher.poll("all");
  return {
    async stop() {
      unsubscribe();
      clearInterval(polling);
      clearInterval(renewing);
      await dispatcher.stop(graceMs);
    },
  };
}
