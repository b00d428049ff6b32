import { setTimeout as pause } from "node:timers/promises";

/** How long a probe waits for a check, in ms: it must answer within a second. */
const deadlineMs = 800;

/**
 * Shares the answer of a check: one runs at a time, and its answer is valid for `ms`.
 *
 * Callers without a limit may ask for it as often as they like. A check past its deadline has the
 * answer of `late`, and the next caller starts another one.
 */
export function sharedCheck<Answer>(
  check: () => Promise<Answer>,
  { ms, clock, late }: { ms: number; clock: () => Date; late: () => Answer },
): () => Promise<Answer> {
  let last: { at: number; isRunning: boolean; response: Promise<Answer> } | undefined;
  return () => {
    const at = clock().getTime();
    if (last !== undefined && (last.isRunning || at - last.at < ms)) return last.response;
    const ended = new AbortController();
    const { signal } = ended;
    const deadline = pause(deadlineMs, undefined, { ref: false, signal }).then(late);
    const response = Promise.race([check(), deadline]);
    deadline.catch(() => undefined);
    const started = { at, isRunning: true, response };
    const end = () => {
      started.isRunning = false;
      ended.abort();
    };
    response.then(end, end);
    last = started;
    return response;
  };
}
