import type { Deps } from "../../kernel/request/deps.ts";
import { sql } from "../../platform/db/sql.ts";

/** Uploads that are pending for this long are abandoned. */
const pendingMs = 24 * 60 * 60 * 1000;
const batch = 100;

/** SQL: rows of a table that are deleted long enough, themselves or with a parent. */
// OFFSET 0 makes every look-up one by index, whatever the planner's estimates.
const deleted = (table: string, column: string, parents: string) =>
  `SELECT id FROM ${table} WHERE "deletedAt" < $1::timestamptz
   UNION ALL SELECT child.id FROM (${parents}) parent
     CROSS JOIN LATERAL (SELECT id FROM ${table} WHERE "${column}" = parent.id OFFSET 0) child`;
const workspaces = `SELECT id FROM workspaces WHERE "deletedAt" < $1::timestamptz`;
const boards = deleted("boards", "workspaceId", workspaces);
const cards = deleted("cards", "listId", deleted("lists", "boardId", boards));
const expired = `${deleted("attachments", "cardId", cards)}
  UNION ALL SELECT id FROM attachments
    WHERE status = 'pending' AND "createdAt" < $2::timestamptz`;
const claim = `UPDATE attachments a
  SET "deletedAt" = coalesce(a."deletedAt", $1::timestamptz - interval '1 ms')
  FROM (SELECT id FROM attachments
    WHERE id = ANY (ARRAY(SELECT id FROM (${expired}) AS due LIMIT ${batch}))
    FOR UPDATE SKIP LOCKED) AS due
  WHERE a.id = due.id RETURNING a.id, a."storageKey"`;

/**
 * Purges up to 100 attachments: deleted before `before`, themselves or with a parent, or abandoned.
 *
 * Answers how many; 0 at the end. Files are removed before their rows, so that a crash
 * leaves rows that lead to them. Call it before the parents' rows are purged.
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
