import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * Adds a member to a board, with the workspace locked, unless they were removed meanwhile; answers
 * whether they were not on it before.
 */
export async function addToBoard(
  tx: UnitOfWork,
  board: { id: bigint; workspaceId: bigint },
  memberId: bigint,
): Promise<boolean> {
  const added = await tx.query(sql`
    INSERT INTO board_members ("boardId", "memberId", "workspaceId", "createdAt")
    SELECT ${board.id}, id, "workspaceId", ${tx.now}::timestamptz FROM members
    WHERE id = ${memberId} AND "workspaceId" = ${board.workspaceId} AND status <> 'removed'
    ON CONFLICT DO NOTHING RETURNING 1`);
  return added.length > 0;
}
