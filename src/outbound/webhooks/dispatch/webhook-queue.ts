import type { DueDelivery } from "./lease-due.ts";

/** How many attempts run at a time to one webhook. */
export const attemptsPerWebhook = 4;

/** How many deliveries of a webhook are read at once. */
export const readAhead = 32;

/** How old a read delivery can be when it is sent; after that it is read again. */
const freshMs = 250;

/** The due deliveries of one webhook that this process has leased. */
export class WebhookQueue {
  readonly webhookId: bigint;
  readonly workspaceId: bigint;
  /** The account whose workspaces share their attempts; a negative id for a workspace alone. */
  readonly accountId: bigint;
  /** How many attempts are in flight. */
  inFlight = 0;
  /** Deliveries that were started and whose result is not written. */
  readonly unwritten = new Set<bigint>();
  /** Whether the database may hold more due deliveries. */
  hasMore = false;
  /** When the last attempt started. */
  startedAt = 0;
  /** The host and port of the receiver. */
  host = "";
  /** Whether the last attempt to the receiver succeeded. */
  isProven = false;
  #waiting: DueDelivery[] = [];
  #readAt = 0;
  #usedAt = performance.now();

  constructor({
    webhookId,
    workspaceId,
    accountId,
  }: Pick<DueDelivery, "webhookId" | "workspaceId" | "accountId">) {
    this.webhookId = webhookId;
    this.workspaceId = workspaceId;
    this.accountId = accountId;
  }

  /** Adds a delivery that was read. */
  add(delivery: DueDelivery): void {
    this.#waiting.push(delivery);
    this.#readAt = performance.now();
    this.hasMore = this.#waiting.length === readAhead;
    this.host = hostOf(delivery.url);
    this.isProven = delivery.isProven;
  }

  /** Whether it has a delivery to send. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether deliveries must be read before the next attempt. */
  get needsRead(): boolean {
    return this.hasMore && this.#waiting.length === 0 && this.inFlight < attemptsPerWebhook;
  }

  /**
   * Removes the next delivery and counts its attempt as in flight.
   *
   * Undefined when the deliveries are too old: they are read again.
   */
  start(): DueDelivery | undefined {
    this.#discardStale();
    const delivery = this.#waiting.shift();
    if (delivery === undefined) return undefined;
    this.unwritten.add(delivery.id);
    this.inFlight++;
    this.startedAt = performance.now();
    return delivery;
  }

  /** Takes back a delivery whose attempt was postponed or aborted. */
  takeBack(delivery: DueDelivery): void {
    this.unwritten.delete(delivery.id);
    this.#waiting.unshift(delivery);
  }

  /** Counts an attempt as ended. */
  finish(): void {
    this.inFlight--;
    this.#usedAt = performance.now();
  }

  /** Whether it has had nothing to do for some time. */
  isIdle(ms: number): boolean {
    return this.isDrained && performance.now() - this.#usedAt > ms;
  }

  /** Whether its deliveries have waited for some time, because of a rate or of shares. */
  isBlocked(ms: number): boolean {
    const isUnused = this.unwritten.size === 0 && this.inFlight === 0;
    const since = Math.max(this.#readAt, this.#usedAt);
    return isUnused && this.hasWaiting && performance.now() - since > ms;
  }

  /** Whether nothing waits, is in flight or has to be written. */
  get isDrained(): boolean {
    return !this.hasMore && this.#waiting.length === 0 && this.unwritten.size === 0;
  }

  /** Forgets the deliveries that have not started, because the lease is lost. */
  discard(): void {
    this.#waiting = [];
    this.hasMore = false;
  }

  #discardStale(): void {
    if (this.#waiting.length === 0 || performance.now() - this.#readAt <= freshMs) return;
    this.#waiting = [];
    this.hasMore = true;
  }
}

/** The host and port of a URL. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
