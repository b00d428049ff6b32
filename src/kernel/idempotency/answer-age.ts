import { sql, type Sql } from "../../platform/db/sql.ts";

/** After this time without a renewal a claim is over, also when its process seems to run. */
export const claimMs = 60_000;

/** How long a stored response is replayed. */
const replayMs = 24 * 60 * 60 * 1000;

/** A stored call; `answer` is null while it runs outside a transaction. */
export type StoredCallRow = { requestHash: string; answer: string | null; createdAt: Date };

/** Whether a stored call is still valid. */
export const isCurrent = ({ answer, createdAt }: StoredCallRow, now: Date) => {
  const { answered, claimed } = currentSince(now);
  return createdAt > (answer === null ? claimed : answered);
};

/** The times since which stored answers, and claims without one, are valid. */
export const currentSince = (now: Date) => ({
  answered: new Date(now.getTime() - replayMs),
  claimed: new Date(now.getTime() - claimMs),
});

/** SQL: whether the row `k` is void: it is too old, or the process of its claim has ended. */
export function isOver(now: Date): Sql {
  const { answered, claimed } = currentSince(now);
  return sql`CASE WHEN k.answer IS NOT NULL THEN k."createdAt" <= ${answered}::timestamptz
    ELSE k."createdAt" <= ${claimed}::timestamptz
      OR is_process_alive(k."lockedBy") IS FALSE END`;
}
