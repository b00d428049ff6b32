import type { Deps } from "../deps.ts";

const everyMs = 60_000;

/** Notes that an API key is in use, at most once a minute and beside the call: nobody waits for it, and no call fails with it. */
export function noteUse(
  { db, clock, log }: Deps,
  key: { id: bigint; lastUsedAt: Date | null },
): void {
  const now = clock();
  const due = new Date(now.getTime() - everyMs);
  if (key.lastUsedAt !== null && key.lastUsedAt > due) return;
  // Calls at the same time have all seen the old value: the condition lets one of them write.
  db.write(
    `UPDATE api_keys SET "lastUsedAt" = $2::timestamptz
     WHERE id = $1 AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= $3::timestamptz)`,
    [key.id, now, due],
  ).catch((error: unknown) => {
    log.warn({ err: error }, "the last use of an API key was not noted");
  });
}
