import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showBoard } from "../presenters/boards.ts";

/** Moves a board with its contents to the trash. */
export const deleteBoard = mutation("board.delete")
  .meta(
    rest("Boards").delete(
      "/boards/{boardPublicId}",
      "Delete a board",
      "Moves a board with everything on it to the trash. `board.restore` brings the board back " +
        "until it is purged (`TRASH_DAYS`). The slug is free at once.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, tx } }) => {
    const after = await tx.prisma.board.update({
      where: { id: board.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("board.deleted", { board: showBoard(after) });
    return success;
  });
