import type { Deps } from "../../kernel/request/deps.ts";
import { sql } from "../../platform/db/sql.ts";

/** Whatever has been pending for so long is not going to come any more. */
const pendingMs = 24 * 60 * 60 * 1000;
const batch = 100;

/** SQL: what has been gone of a table for long enough, by itself or with what it lies in. `OFFSET 0` keeps every look-up one by index, however few there seem to be. */
const gone = (table: string, column: string, parents: string) =>
  `SELECT id FROM ${table} WHERE "deletedAt" < $1::timestamptz
   UNION ALL SELECT lower.id FROM (${parents}) upper CROSS JOIN LATERAL (SELECT id FROM ${table} WHERE "${column}" = upper.id OFFSET 0) lower`;
const workspaces = `SELECT id FROM workspaces WHERE "deletedAt" < $1::timestamptz`;
const boards = gone("boards", "workspaceId", workspaces);
const cards = gone("cards", "listId", gone("lists", "boardId", boards));
const found = `${gone("attachments", "cardId", cards)}
  UNION ALL SELECT id FROM attachments WHERE status = 'pending' AND "createdAt" < $2::timestamptz`;
const claim = `UPDATE attachments a SET "deletedAt" = coalesce(a."deletedAt", $1::timestamptz - interval '1 ms') FROM (
    SELECT id FROM attachments WHERE id = ANY (ARRAY(SELECT id FROM (${found}) AS due LIMIT ${batch}))
    FOR UPDATE SKIP LOCKED) AS due
  WHERE a.id = due.id RETURNING a.id, a."storageKey"`;

/**
 * Removes up to a hundred attachments that have lain in the trash since before `before`, or whose card, list, board or workspace does, and
 * uploads that were never finished; answers how many, 0 when all are gone. Files go before their rows, so that after a crash the rest is
 * found again. To be called before the rows that they hang on are removed.
 */
export async function purgeAttachments(
  { db, files, clock }: Pick<Deps, "db" | "files" | "clock">,
  before: Date,
): Promise<number> {
  const abandoned = new Date(clock().getTime() - pendingMs);
  const due = await db.write<{ id: bigint; storageKey: string | null }>(claim, [before, abandoned]);
  for (const { storageKey } of due) if (storageKey !== null) await files.remove(storageKey);
  const ids = due.map(({ id }) => id);
  if (ids.length > 0) await db.write(sql`DELETE FROM attachments WHERE id = ANY(${ids}::bigint[])`);
  return ids.length;
}
