import { success, Success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { updateRow } from "../../platform/db/write.ts";
import { emitView, readBoardOf } from "./emit.ts";
import { checkChange } from "./update.ts";

/** Deletes a view. */
export const deleteView = mutation("view.delete")
  .meta(
    rest("Views").delete(
      "/views/{viewPublicId}",
      "Delete a view",
      "Deletes a view; its cards stay. A view with scope `workspace` requires `workspace:edit`, " +
        "unless the caller created it. `view.restore` brings it back until it is purged.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { view, workspace, caller, membership, tx } }) => {
    checkChange(view, { caller, membership });
    const board = await readBoardOf(tx, view);
    const after = updateRow(tx, "views", view, { deletedAt: tx.now, updatedAt: tx.now });
    tx.version = after.version;
    emitView({ tx, caller, workspace, board }, "deleted", after);
    return success;
  });
