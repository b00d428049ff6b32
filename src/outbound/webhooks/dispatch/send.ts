import { setMaxListeners } from "node:events";
import type { Deps } from "../../../kernel/request/deps.ts";
import { attempt } from "./attempt.ts";
import type { DueDelivery } from "./due.ts";
import type { AttemptResult } from "./results.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

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

/** What a sender works on; `onEnd` gets each result, or null when the attempt was aborted. */
type Options = {
  slots: number;
  queues: ReadonlyMap<bigint, WebhookQueue>;
  onEnd: (queue: WebhookQueue, delivery: DueDelivery, result: AttemptResult | null) => void;
};

/** The share of the slots that a webhook's second to fourth attempt can use. */
const sharedSlots = 0.75;

/** Creates a sender with a number of slots. */
export function createSender(deps: Deps, { slots, queues, onEnd }: Options): Sender {
  const aborting = new AbortController();
  setMaxListeners(0, aborting.signal);
  let isStopping = false;
  let inFlight = 0;
  let attemptCount = 0;

  /** Webhooks without an attempt come first, so that slow targets leave slots to others. */
  const hasCapacity = (queue: WebhookQueue) =>
    inFlight < (queue.inFlight === 0 ? slots : slots * sharedSlots);

  async function send(queue: WebhookQueue, delivery: DueDelivery) {
    inFlight++;
    attemptCount++;
    const result = await attempt(deps, delivery, aborting.signal);
    inFlight--;
    queue.finish();
    onEnd(queue, delivery, result);
  }

  return {
    fill() {
      if (isStopping) return;
      for (const queue of queues.values()) {
        while (hasCapacity(queue) && queue.canSend) {
          const delivery = queue.start();
          if (delivery !== undefined) void send(queue, delivery);
        }
      }
    },
    capacity: () => (isStopping ? 0 : slots - inFlight),
    isIdle: () => inFlight === 0,
    attemptCount: () => attemptCount,
    stop() {
      isStopping = true;
    },
    abort: () => aborting.abort(),
  };
}
