const jitter = 0.2;

/** When and how often a delivery was attempted. */
type Attempts = { failedAt: Date; count: number };

/**
 * When a failed delivery is attempted again; null after the last attempt.
 *
 * `schedule` holds the seconds between a failure and the next attempt, `retryAfterSeconds` the
 * least time that the receiver asked for.
 */
export function nextAttemptAt(
  { failedAt, count }: Attempts,
  schedule: readonly number[],
  retryAfterSeconds = 0,
): Date | null {
  const seconds = schedule[count - 1];
  if (seconds === undefined) return null;
  const spread = seconds * (1 - jitter + Math.random() * 2 * jitter);
  return new Date(failedAt.getTime() + Math.round(Math.max(spread, retryAfterSeconds) * 1000));
}
