import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { slugIn } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { boardDetail } from "./detail.ts";

/** Takes a board out of the trash, with all that was on it. */
export const restoreBoard = mutation("board.restore")
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/restore",
      "Restore a deleted board",
      "Takes a board out of the trash, with all that was on it. When another board has its slug by now, it gets one with a suffix. A board that is not deleted stays as it is.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx: { board, workspace, tx } }) => {
    if (workspace.deletedAt !== null) throw conflict("The workspace has been deleted.");
    if (board.deletedAt === null) return boardDetail(tx.query, board, workspace);
    // Whoever gives a board a slug holds the workspace meanwhile.
    await tx.lock("workspaces", [workspace.id]);
    await checkLimit(tx, "boards", workspace.id);
    const slug = await slugIn(tx.query, workspace.id, board);
    const after = await tx.prisma.board.update({
      where: { id: board.id },
      data: { slug, deletedAt: null, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("board.restored", { board: viewBoard(after) });
    return boardDetail(tx.query, after, workspace);
  });
