import type { Deps } from "../../kernel/request/deps.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** Uploads that are pending for this long are abandoned. */
const pendingMs = 24 * 60 * 60 * 1000;
const batch = 100;

/**
 * SQL: the attachments that were deleted before a time, themselves or with a parent, or abandoned.
 *
 * `OFFSET 0` makes every look-up use the index, whatever the planner estimates.
 */
function expired(before: Date, abandoned: Date): Sql {
  const deleted = (name: string, parent: string, parents: Sql) => {
    const [table, column] = [sql.identifier(name), sql.identifier(parent)];
    return sql`SELECT id FROM ${table} WHERE "deletedAt" < ${before}::timestamptz
      UNION ALL SELECT child.id FROM (${parents}) parent
        CROSS JOIN LATERAL (SELECT id FROM ${table} WHERE ${column} = parent.id OFFSET 0) child`;
  };
  const workspaces = sql`SELECT id FROM workspaces WHERE "deletedAt" < ${before}::timestamptz`;
  const boards = deleted("boards", "workspaceId", workspaces);
  const cards = deleted("cards", "listId", deleted("lists", "boardId", boards));
  return sql`${deleted("attachments", "cardId", cards)}
    UNION ALL SELECT id FROM attachments
      WHERE status = 'pending' AND "createdAt" < ${abandoned}::timestamptz`;
}

// For every purge, a claimed attachment is in the past, on any clock.
const claim = (before: Date, abandoned: Date): Sql => sql`UPDATE attachments a
  SET "deletedAt" = timestamptz 'epoch' - interval '1 day'
  FROM (SELECT id FROM attachments
    WHERE id = ANY (ARRAY(
      SELECT id FROM (${expired(before, abandoned)}) AS due LIMIT ${sql.number(batch)}))
    FOR UPDATE SKIP LOCKED) AS due
  WHERE a.id = due.id RETURNING a.id`;

/**
 * The keys of purged attachments whose file no other attachment has.
 *
 * It runs after the claim is committed: of two purges, the later one sees what the other claimed.
 */
const unshared = (ids: bigint[], before: Date): Sql => sql`SELECT DISTINCT a."storageKey" AS key
  FROM attachments a WHERE a.id = ANY(${ids}::bigint[]) AND a."storageKey" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attachments other WHERE other."storageKey" = a."storageKey"
      AND coalesce(other."deletedAt", 'infinity') >= ${before}::timestamptz)`;

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
  const due = await db.write<{ id: bigint }>(claim(before, abandoned));
  if (due.length === 0) return 0;
  const ids = due.map(({ id }) => id);
  const keys = await db.write<{ key: string }>(unshared(ids, before));
  for (const { key } of keys) await files.remove(key);
  // A row that is locked, by the move of its board for example, is found again.
  const rows = sql`SELECT id FROM attachments WHERE id = ANY(${ids}::bigint[])
    FOR UPDATE SKIP LOCKED`;
  await db.write(sql`DELETE FROM attachments WHERE id = ANY (ARRAY(${rows}))`);
  return ids.length;
}
