import type { Topic } from "./log-tail.ts";

/** A wait for something new in a workspace's log. */
export type Watch = {
  /** Resolves when something has become readable since the last time, and at the latest after so many ms. */
  next(ms: number, gone: AbortSignal | undefined): Promise<void>;
  /** Whether there is nothing to wait for any more, because the service stops. */
  readonly isReleased: boolean;
  close(): void;
};

/** Watches a topic from now on; whatever becomes readable is noticed, also between two waits. */
export function createWatch(topic: Topic, released: AbortSignal, letGo: () => void): Watch {
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
