import { mutation } from "../../kernel/procedures/mutation.ts";
import { restoreRow } from "../../kernel/positions.ts";
import { checkCardLimit, checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListWithCount } from "../../contract/resources/lists.ts";
import { listDetail } from "./detail.ts";
import { listState } from "./update.ts";
import { showList } from "../presenters/lists.ts";

/** Restores a list with its cards from the trash. */
export const restoreList = mutation("list.restore")
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/restore",
      "Restore a deleted list",
      "Restores a deleted list with its cards to its old position, or to the end of the board if " +
        "that position is taken. Restoring a list that is not deleted changes nothing. Returns " +
        "409 if its board is deleted, or if it exceeds its `wipLimit` with `wipMode: block`.",
    ),
  )
  .output(ListWithCount)
  .mutation(async ({ ctx: { list, board, workspace, tx } }) => {
    if (workspace.deletedAt !== null || board.deletedAt !== null) throw boardDeleted();
    if (list.deletedAt === null) return listDetail(tx.query, list, board);
    const after = await restoreRow(tx, "list", list, board.id);
    if (after === null) throw boardDeleted();
    await checkLimit(tx, list.archivedAt === null ? "lists" : "archived_lists", board.id, 0);
    await checkCardLimit(tx, workspace, board.id, 0);
    tx.emit("list.restored", { list: showList(after), board, ...(await listState(tx, after)) });
    return listDetail(tx.query, after, board);
  });

const boardDeleted = () =>
  conflict("parent_deleted", "The board of the list is deleted. Restore the board first.");
