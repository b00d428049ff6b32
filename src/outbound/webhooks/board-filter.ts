import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Board } from "../../platform/db/rows.ts";
import { notFound } from "../../platform/errors.ts";

/** Finds the board that a webhook is limited to; 404 for a board of another workspace. */
export async function findBoard(
  { prisma }: UnitOfWork,
  workspaceId: bigint,
  publicId: string,
): Promise<Board> {
  const board = await prisma.board.findFirst({ where: { publicId, workspaceId, deletedAt: null } });
  if (board === null) throw notFound("board");
  return board;
}
