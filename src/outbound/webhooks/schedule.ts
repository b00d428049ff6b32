const jitter = 0.2;

/** When a delivery that has failed is tried again; null when it has been tried often enough. `schedule` holds the seconds from one failure to the next attempt, `retryAfter` what the target has asked for. */
export function nextAttempt(
  failedAt: Date,
  attempts: number,
  schedule: readonly number[],
  retryAfter = 0,
): Date | null {
  const seconds = schedule[attempts - 1];
  if (seconds === undefined) return null;
  const spread = seconds * (1 - jitter + Math.random() * 2 * jitter);
  return new Date(failedAt.getTime() + Math.round(Math.max(spread, retryAfter) * 1000));
}
