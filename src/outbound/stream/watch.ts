import type { Watch } from "../../kernel/events/hub.ts";
import type { LogTail } from "./log-tail.ts";

/** Watches a log tail for new events, also between two calls of `next`. */
export function createWatch(tail: LogTail, released: AbortSignal, onClose: () => void): Watch {
  let hasEvents = false;
  let wake: (() => void) | undefined;
  const watcher = () => {
    hasEvents = true;
    wake?.();
  };
  tail.watchers.add(watcher);
  return {
    async next(ms, aborted) {
      const signals = aborted === undefined ? [released] : [released, aborted];
      if (!hasEvents && !signals.some((signal) => signal.aborted)) {
        await new Promise<void>((resolve) => {
          const finish = () => {
            clearTimeout(timer);
            for (const signal of signals) signal.removeEventListener("abort", finish);
            resolve();
          };
          const timer = setTimeout(finish, ms);
          for (const signal of signals) signal.addEventListener("abort", finish);
          wake = finish;
        });
      }
      hasEvents = false;
    },
    get isReleased() {
      return released.aborted;
    },
    close() {
      tail.watchers.delete(watcher);
      onClose();
    },
  };
}
