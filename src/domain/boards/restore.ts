import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkPublishing } from "./publish.ts";
import { freeSlug } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { showBoard } from "../presenters/boards.ts";
import { boardDetail } from "./detail.ts";

/** Restores a board with its contents from the trash. */
export const restoreBoard = mutation("board.restore")
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/restore",
      "Restore a deleted board",
      "Restores a deleted board with everything on it. If its slug is taken, the board gets one " +
        "with a suffix. Restoring a public board requires `board:edit` as well. Restoring a " +
        "board that is not deleted changes nothing.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx: { board, workspace, membership, tx } }) => {
    if (workspace.deletedAt !== null)
      throw conflict(
        "parent_deleted",
        "The workspace of the board is deleted. Restore the workspace first.",
      );
    if (board.deletedAt === null) return boardDetail(tx.query, board, workspace);
    checkPublishing(membership, board.visibility);
    await checkLimit(tx, "boards", workspace.id);
    const slug = await freeSlug(tx, workspace.id, board);
    const after = await tx.prisma.board.update({
      where: { id: board.id },
      data: { slug, deletedAt: null, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("board.restored", { board: showBoard(after) });
    return boardDetail(tx.query, after, workspace);
  });
