import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewBoard } from "../views/boards.ts";

/** Deletes a board with all that is on it; it can be restored until the trash is emptied. */
export const deleteBoard = mutation("board.delete")
  .meta(
    rest("Boards").delete(
      "/boards/{boardPublicId}",
      "Delete a board",
      "Deletes a board with all that is on it; it can be restored until the trash is emptied. Its slug is free at once.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, tx } }) => {
    const after = await tx.prisma.board.update({
      where: { id: board.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("board.deleted", { board: viewBoard(after) });
    return success;
  });
