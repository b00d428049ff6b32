import { mutation } from "../../kernel/procedures/mutation.ts";
import { restoredPosition } from "../../kernel/positions.ts";
import { checkCardLimit, checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListInfo } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

/** Takes a list out of the trash with its cards, to where it was, or to the end when the place is gone. */
export const restoreList = mutation("list.restore")
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/restore",
      "Restore a deleted list",
      "Back to where it was, or to the end when the place is gone, with the cards that it had. A list that is not deleted stays as it is; on a deleted board it is 409.",
    ),
  )
  .output(ListInfo)
  .mutation(async ({ ctx: { list, board, workspace, tx } }) => {
    if (workspace.deletedAt !== null || board.deletedAt !== null) {
      throw conflict("The board has been deleted.");
    }
    if (list.deletedAt === null) return viewList(list);
    if ((await tx.lock("boards", [board.id])).length === 0)
      throw conflict("The board has been deleted.");
    await checkLimit(tx, "lists", board.id);
    const after = await tx.prisma.list.update({
      where: { id: list.id },
      data: {
        deletedAt: null,
        position: await restoredPosition(tx.query, "list", board.id, list.position),
        version: { increment: 1 },
        updatedAt: tx.now,
      },
    });
    await checkCardLimit(tx, workspace, board.id, 0);
    tx.emit("list.restored", { list: viewList(after), board });
    return viewList(after);
  });
