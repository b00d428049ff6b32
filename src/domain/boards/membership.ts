import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";

/** Adds a member to a board; answers whether they were not on it before. */
export async function addToBoard(
  tx: UnitOfWork,
  board: { id: bigint; workspaceId: bigint },
  memberId: bigint,
): Promise<boolean> {
  const { count } = await tx.prisma.boardMember.createMany({
    data: { boardId: board.id, memberId, workspaceId: board.workspaceId, createdAt: tx.now },
    skipDuplicates: true,
  });
  return count > 0;
}
