import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewWorkspace } from "../views/workspaces.ts";

/** Deletes a workspace with all that is in it; it can be restored until the trash is emptied. */
export const deleteWorkspace = mutation("workspace.delete")
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}",
      "Delete a workspace",
      "Deletes a workspace with all that is in it; it can be restored until the trash is emptied.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx } }) => {
    const after = await tx.prisma.workspace.update({
      where: { id: workspace.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("workspace.deleted", { workspace: viewWorkspace(after) });
    return success;
  });
