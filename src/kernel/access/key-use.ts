import type { Logger } from "pino";
import type { Database } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** What a note of a key's use is written with. */
export type KeyUseDeps = { db: Database; clock: () => Date; log: Logger };

const everyMs = 60_000;

/** Records the use of an API key, at most once a minute; the call neither waits nor fails. */
export function noteUse(
  { db, clock, log }: KeyUseDeps,
  key: { id: bigint; lastUsedAt: Date | null },
): void {
  const now = clock();
  const due = new Date(now.getTime() - everyMs);
  if (key.lastUsedAt !== null && key.lastUsedAt > due) return;
  // Calls at the same time have all seen the old value: the condition lets one of them write.
  db.write(
    sql`UPDATE api_keys SET "lastUsedAt" = ${now}::timestamptz
     WHERE id = ${key.id} AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= ${due}::timestamptz)`,
  ).catch((error: unknown) => {
    log.warn({ err: error }, "the last use of an API key was not noted");
  });
}
