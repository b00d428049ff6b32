import { mutation } from "../../kernel/procedures/mutation.ts";
import { deleteRow } from "../../kernel/positions.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showList } from "../presenters/lists.ts";

/** Moves a list with its cards to the trash. */
export const deleteList = mutation("list.delete")
  .meta(
    rest("Lists").delete(
      "/lists/{listPublicId}",
      "Delete a list",
      "Moves a list with its cards to the trash. `list.restore` brings the list and its cards " +
        "back until they are purged (`TRASH_DAYS`).",
    ),
  )
  .output(Success)
  .mutation(({ ctx: { list, board, tx } }) => {
    const after = deleteRow(tx, "list", list, board.id);
    tx.emit("list.deleted", { list: showList(after), board });
    return success;
  });
