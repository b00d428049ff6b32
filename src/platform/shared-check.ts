/**
 * Shares the answer of a check: one runs at a time, and its answer is that of `ms` from its start.
 *
 * Callers without a limit may ask for it as often as they like.
 */
export function sharedCheck<Answer>(
  check: () => Promise<Answer>,
  ms: number,
  clock: () => Date,
): () => Promise<Answer> {
  let last: { at: number; isRunning: boolean; answer: Promise<Answer> } | undefined;
  return () => {
    const at = clock().getTime();
    if (last !== undefined && (last.isRunning || at - last.at < ms)) return last.answer;
    const started = { at, isRunning: true, answer: check() };
    const end = () => void (started.isRunning = false);
    started.answer.then(end, end);
    last = started;
    return started.answer;
  };
}
