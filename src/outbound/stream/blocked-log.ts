import type { Logger } from "pino";

const firstRetryMs = 5;
const maxRetryMs = 250;
/** After this time the read finds out which transactions block the log. */
const longMs = 200;
const warnMs = 15_000;

/**
 * Retries reads of a log whose newest events wait for an older transaction.
 *
 * That transaction may write elsewhere or nothing, so no notification announces its end.
 */
export class BlockedLog {
  readonly #log: Logger;
  readonly #retry: () => void;
  #state: { since: number; timer: NodeJS.Timeout; delayMs: number; isLogged: boolean } | undefined;

  constructor(log: Logger, retry: () => void) {
    this.#log = log;
    this.#retry = retry;
  }

  /** Whether the log has been blocked for some time. */
  get isLong(): boolean {
    return this.#state !== undefined && performance.now() - this.#state.since > longMs;
  }

  /** Schedules a retry when a batch shows that the log is blocked. */
  update({ blockedSince, rows }: { blockedSince: Date | null; rows: readonly unknown[] }): void {
    if (blockedSince === null || rows.length > 0) this.clear();
    if (blockedSince === null) return;
    const before = this.#state;
    clearTimeout(before?.timer);
    const delayMs = before === undefined ? firstRetryMs : Math.min(before.delayMs * 2, maxRetryMs);
    const since = before?.since ?? performance.now();
    const isLogged = performance.now() - since > warnMs;
    if (isLogged && before?.isLogged !== true) {
      this.#log.warn({ blockedSince }, "a long transaction blocks the event log");
    }
    const timer = setTimeout(this.#retry, delayMs).unref();
    this.#state = { since, timer, delayMs, isLogged };
  }

  /** Cancels the retry. */
  clear(): void {
    clearTimeout(this.#state?.timer);
    this.#state = undefined;
  }
}
