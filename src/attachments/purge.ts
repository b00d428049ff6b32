import type { Deps } from "../deps.ts";

/** Whatever has been pending for so long is not going to come any more. */
const pendingMs = 24 * 60 * 60 * 1000;
const batch = 100;

const claim = `UPDATE attachments a SET "deletedAt" = coalesce(a."deletedAt", $1::timestamptz) FROM (
    SELECT a.id FROM attachments a JOIN cards c ON c.id = a."cardId" JOIN lists l ON l.id = c."listId"
      JOIN boards b ON b.id = l."boardId" JOIN workspaces w ON w.id = a."workspaceId"
    WHERE least(a."deletedAt", c."deletedAt", l."deletedAt", b."deletedAt", w."deletedAt") <= $1::timestamptz
      OR (a.status = 'pending' AND a."createdAt" <= $2::timestamptz)
    ORDER BY a.id LIMIT ${batch} FOR UPDATE OF a SKIP LOCKED) AS due
  WHERE a.id = due.id RETURNING a.id, a."storageKey"`;

/**
 * Removes up to a hundred attachments that lie in the trash since `before` or earlier, or whose card, list, board or workspace does, and
 * uploads that were never finished; answers how many, 0 when all are gone. Files go before their rows, so that after a crash the rest is
 * found again. To be called before the rows that they hang on are removed.
 */
export async function purgeAttachments(
  { db, files, clock }: Pick<Deps, "db" | "files" | "clock">,
  before: Date,
): Promise<number> {
  const abandoned = new Date(clock().getTime() - pendingMs);
  const due = await db.read<{ id: bigint; storageKey: string | null }>(claim, [before, abandoned]);
  for (const { storageKey } of due) if (storageKey !== null) await files.remove(storageKey);
  const ids = due.map(({ id }) => id);
  if (ids.length > 0) await db.read(`DELETE FROM attachments WHERE id = ANY($1::bigint[])`, [ids]);
  return ids.length;
}
