import { View } from "../../contract/resources/views.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { updateRow } from "../../platform/db/write.ts";
import { conflict } from "../../platform/errors.ts";
import { checkViewLimit } from "./create.ts";
import { emitView, readBoardOf } from "./emit.ts";
import { readView } from "./read.ts";
import { checkChange } from "./update.ts";

/** Restores a view from the trash. */
export const restoreView = mutation("view.restore")
  .meta(
    rest("Views").post(
      "/views/{viewPublicId}/restore",
      "Restore a deleted view",
      "Restores a deleted view. A view with scope `workspace` requires `workspace:edit`, unless " +
        "the caller created it. Restoring a view that is not deleted changes nothing. Returns 409 if " +
        "the workspace, or the caller, has too many views.",
    ),
  )
  .output(View)
  .mutation(async ({ ctx: { view, workspace, caller, membership, tx } }) => {
    checkChange(view, { caller, membership });
    if (workspace.deletedAt !== null) {
      const message = "The workspace of the view is deleted. Restore the workspace first.";
      throw conflict("parent_deleted", message);
    }
    const viewer = viewerOf({ membership, caller });
    if (view.deletedAt !== null) {
      await checkViewLimit(tx, view);
      const board = await readBoardOf(tx, view);
      const after = updateRow(tx, "views", view, { deletedAt: null, updatedAt: tx.now });
      tx.version = after.version;
      emitView({ tx, caller, workspace, board }, "restored", after);
    }
    return readView(tx.query, workspace, viewer, view.id);
  });
