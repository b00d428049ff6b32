import type { Due } from "./queue.ts";

/** How many attempts are made at a time to one webhook. */
export const perTarget = 4;

/** How many deliveries are read of a webhook at once. */
export const readAhead = 32;

/** How old may be what is known of a webhook when something is sent to it. */
const freshMs = 250;

/** One webhook that is ours to deliver to. */
export type WebhookQueue = {
  readonly webhookId: bigint;
  readonly workspaceId: bigint;
  /** What was read and not begun. */
  queue: Due[];
  readAt: number;
  /** How many attempts are under way. */
  flying: number;
  /** The deliveries that were begun and of which nothing is written yet. */
  readonly open: Set<bigint>;
  /** Whether there may be more to read. */
  more: boolean;
  /** When it last had something to do. */
  busyAt: number;
};

/** A lane for the webhook of a delivery. */
export const laneOf = ({ webhookId, workspaceId }: Due): WebhookQueue => ({
  webhookId,
  workspaceId,
  queue: [],
  readAt: 0,
  flying: 0,
  open: new Set(),
  more: false,
  busyAt: performance.now(),
});

/** Adds what was read. */
export function enqueue(lane: WebhookQueue, due: Due): void {
  lane.queue.push(due);
  lane.readAt = performance.now();
  lane.more = lane.queue.length === readAhead;
}

/** Whether a lane could do with more deliveries. */
export const isHungry = ({ more, queue, flying }: WebhookQueue) =>
  more && queue.length === 0 && flying < perTarget;

/** Whether a lane has had nothing to do for some time. */
export const isIdle = ({ more, queue, flying, open, busyAt }: WebhookQueue, ms: number) =>
  !more && queue.length === 0 && flying === 0 && open.size === 0 && performance.now() - busyAt > ms;

/** Begins nothing more of a lane that others have; whether nothing of it is under way. Until then it is known, so that nothing is begun beside itself should the webhook come back. */
export function end(lane: WebhookQueue): boolean {
  [lane.queue, lane.more] = [[], false];
  return lane.open.size === 0;
}

/** Takes the next delivery that may be begun; what was read too long ago is read again. */
export function nextOf(lane: WebhookQueue): Due | undefined {
  if (lane.queue.length > 0 && performance.now() - lane.readAt > freshMs) {
    lane.queue = [];
    lane.more = true;
  }
  return lane.flying < perTarget ? lane.queue.shift() : undefined;
}
