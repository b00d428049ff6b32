import type { Watch } from "../../kernel/events/hub.ts";
import type { LogTail } from "./log-tail.ts";

/** Watches a topic from now on; whatever becomes readable is noticed, also between two waits. */
export function createWatch(topic: LogTail, released: AbortSignal, letGo: () => void): Watch {
  let isNew = false;
  let wake: (() => void) | undefined;
  const watcher = () => {
    isNew = true;
    wake?.();
  };
  topic.watchers.add(watcher);
  return {
    async next(ms, gone) {
      const ends = gone === undefined ? [released] : [released, gone];
      if (!isNew && !ends.some(({ aborted }) => aborted)) {
        await new Promise<void>((resolve) => {
          const over = () => {
            clearTimeout(timer);
            for (const end of ends) end.removeEventListener("abort", over);
            resolve();
          };
          const timer = setTimeout(over, ms);
          for (const end of ends) end.addEventListener("abort", over);
          wake = over;
        });
      }
      isNew = false;
    },
    get isReleased() {
      return released.aborted;
    },
    close() {
      topic.watchers.delete(watcher);
      letGo();
    },
  };
}
