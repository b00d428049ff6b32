import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import type { z } from "zod";
import { notFound } from "../../platform/errors.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import type { MemberRef } from "../../contract/resources/members.ts";

/**
 * Adds a member to a board, with the workspace locked, unless they were removed meanwhile; answers
 * whether they were not on it before.
 */
export async function addToBoard(
  tx: UnitOfWork,
  board: { id: bigint; workspaceId: bigint },
  memberId: bigint,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    INSERT INTO board_members ("boardId", "memberId", "workspaceId", "createdAt")
    SELECT ${board.id}, id, "workspaceId", ${tx.now}::timestamptz FROM members
    WHERE id = ${memberId} AND "workspaceId" = ${board.workspaceId} AND status <> 'removed'
    ON CONFLICT DO NOTHING RETURNING 1`);
  return inserted.length > 0;
}

/** Finds a member of a workspace by public id, or 404; `ref` is the view that events show. */
export async function findMember(
  { prisma }: UnitOfWork,
  workspaceId: bigint,
  publicId: string,
  { removed = false } = {},
): Promise<{ id: bigint; ref: z.infer<typeof MemberRef> }> {
  const row = await prisma.member.findFirst({
    where: { publicId, workspaceId, ...(removed ? {} : { status: { not: "removed" } }) },
    select: memberSelect,
  });
  if (row === null) throw notFound("member");
  const { name, image } = showMember(row, false);
  return { id: row.id, ref: { publicId, name, image } };
}
