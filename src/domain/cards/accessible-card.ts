import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { holdsPermission } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";

type AccessibleCard = {
  id: bigint;
  list: { publicId: string };
  board: { publicId: string };
  workspace: { publicId: string; cardPrefix: string };
};

// After a move, an old number leads to the other workspace: the caller needs card:view there.
const statement = `SELECT c.id, l."publicId" AS "listPublicId", b."publicId" AS "boardPublicId",
    w."publicId" AS "workspacePublicId", w."cardPrefix"
  FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
  JOIN workspaces w ON w.id = c."workspaceId" AND w."deletedAt" IS NULL
  JOIN members m ON m."workspaceId" = w.id AND m."userId" = $3 AND m.status = 'active'
  JOIN roles r ON r.id = m."roleId"
  CROSS JOIN LATERAL (SELECT
    ${holdsPermission("'card:view'")} AS views,
    ${holdsPermission("'workspace:manage'")} AS manages) AS rights
  WHERE c."deletedAt" IS NULL AND rights.views
    AND (c."workspaceId" = $1 AND c.number = $2
      OR c.id = (SELECT a."cardId" FROM card_aliases a
        WHERE a."workspaceId" = $1 AND a.number = $2))
    AND (b.visibility <> 'restricted' OR rights.manages AND $6
      OR EXISTS (SELECT 1 FROM board_members bm
        WHERE bm."boardId" = b.id AND bm."memberId" = m.id))
    AND ($4::bigint IS NULL OR w.id = $4) AND ($5::bigint IS NULL OR b.id = $5)
  ORDER BY c."workspaceId" = $1 DESC LIMIT 1`;

/** Finds the card that has, or had, a number in a workspace; null when the caller cannot see it. */
export async function findAccessibleCard(
  query: Query,
  number: number,
  from: { workspace: { id: bigint }; caller: Caller },
): Promise<AccessibleCard | null> {
  const { workspace, caller } = from;
  const [row] = await query<Record<string, string> & { id: bigint }>(statement, [
    workspace.id,
    number,
    caller.userId,
    caller.key?.workspaceId ?? null,
    caller.key?.boardId ?? null,
    keyAllows(caller, "workspace:manage"),
  ]);
  if (row === undefined) return null;
  const {
    id,
    listPublicId = "",
    boardPublicId = "",
    workspacePublicId = "",
    cardPrefix = "",
  } = row;
  return {
    id,
    list: { publicId: listPublicId },
    board: { publicId: boardPublicId },
    workspace: { publicId: workspacePublicId, cardPrefix },
  };
}
