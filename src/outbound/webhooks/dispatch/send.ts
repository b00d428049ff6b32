import { setMaxListeners } from "node:events";
import type { Deps } from "../../../kernel/request/deps.ts";
import { attempt } from "./attempt.ts";
import type { DueDelivery } from "./lease-due.ts";
import { WebhookScheduler, type SchedulerLimits } from "./webhook-scheduler.ts";
import type { AttemptResult } from "./results.ts";
import type { WebhookQueue } from "./webhook-queue.ts";
import { networkOf } from "../../../kernel/request/network.ts";
import { isInSubnets, type DestinationPolicy } from "../../../platform/http/address-guard.ts";
import { maxAddresses } from "../../../platform/http/outgoing.ts";

/** A receiver with its addresses. */
type ResolvedDestination = { url: URL; addresses: string[] };

/**
 * The keys by which the addresses of a receiver are limited.
 *
 * A public address counts with all its ports. Inside an allowed subnet, one address of the
 * operator's own network can serve many receivers, so that its ports count by themselves.
 */
export const addressKeys = (
  { url, addresses }: ResolvedDestination,
  { allowedSubnets }: DestinationPolicy,
): string[] => [
  ...new Set(
    addresses
      .slice(0, maxAddresses)
      .map((address) =>
        isInSubnets(address, allowedSubnets)
          ? `${address} ${url.port || url.protocol}`
          : networkOf(address),
      ),
  ),
];

/** Sends the deliveries of queues, a limited number at a time. */
export type Sender = {
  /** Starts attempts while there are deliveries and capacity. */
  fill(): void;
  /** How many more attempts can start. */
  capacity(): number;
  isIdle(): boolean;
  /** How many attempts have started. */
  attemptCount(): number;
  /** Starts no more attempts. */
  stop(): void;
  /** Aborts the attempts in flight. */
  abort(): void;
};

/** The queues and limits of a sender; `onEnd` gets each result, or null if it was aborted. */
type Options = {
  limits: SchedulerLimits;
  queues: ReadonlyMap<bigint, WebhookQueue>;
  onEnd: (queue: WebhookQueue, delivery: DueDelivery, result: AttemptResult | null) => void;
  /** Called when deliveries that waited for a host's rate were sent or must be read again. */
  onRate: () => void;
};

/** Creates a sender. */
export function createSender(deps: Deps, { limits, queues, onEnd, onRate }: Options): Sender {
  const aborting = new AbortController();
  setMaxListeners(0, aborting.signal);
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let attemptCount = 0;
  const share = new WebhookScheduler(limits);

  async function send(queue: WebhookQueue, delivery: DueDelivery) {
    attemptCount++;
    const use = share.start(queue);
    const admit = (to: ResolvedDestination) => use.connect(addressKeys(to, deps.outgoing.policy));
    const result = await attempt(deps, delivery, { signal: aborting.signal, admit });
    use.end();
    queue.finish();
    onEnd(queue, delivery, result);
  }

  function fill() {
    if (isStopping) return;
    // A queue with old deliveries uses its turn to read them again.
    for (let remaining = limits.slots - share.inFlight; remaining > 0; remaining--) {
      const queue = share.next(queues.values());
      if (queue === undefined) break;
      const delivery = queue.start();
      if (delivery !== undefined) void send(queue, delivery);
    }
    waitForRate();
  }

  /** Continues when the first host that is over its rate accepts another attempt. */
  function waitForRate() {
    const waiting = [...queues.values()].filter((queue) => queue.hasWaiting);
    const waits = waiting.map((queue) => share.waitMs(queue)).filter((ms) => ms > 0);
    if (waits.length === 0) share.forgetIdle();
    if (waits.length === 0 || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        fill();
        onRate();
      },
      Math.min(...waits),
    );
  }

  return {
    fill,
    capacity: () => (isStopping ? 0 : limits.slots - share.inFlight),
    isIdle: () => share.inFlight === 0 && timer === undefined,
    attemptCount: () => attemptCount,
    stop() {
      isStopping = true;
      clearTimeout(timer);
      timer = undefined;
    },
    abort: () => aborting.abort(),
  };
}
