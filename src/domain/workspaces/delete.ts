import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showWorkspace } from "../shown/workspaces.ts";

/** Deletes a workspace and everything in it. It can be restored until it is purged. */
export const deleteWorkspace = mutation("workspace.delete")
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}",
      "Delete a workspace",
      "Deletes a workspace and everything in it. `workspace.restore` brings the workspace back " +
        "until it is purged.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx } }) => {
    const after = await tx.prisma.workspace.update({
      where: { id: workspace.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("workspace.deleted", { workspace: showWorkspace(after) });
    return success;
  });
