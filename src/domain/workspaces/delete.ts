import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import { showWorkspace } from "../presenters/workspaces.ts";

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
    await trashWorkspace(tx, workspace.id);
    return success;
  });

/** Moves a locked workspace to the trash. */
export async function trashWorkspace(
  tx: UnitOfWork<"workspace.deleted">,
  id: bigint,
): Promise<Workspace> {
  const after = await tx.prisma.workspace.update({
    where: { id },
    data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
  });
  tx.emitIn(id, "workspace.deleted", { workspace: showWorkspace(after) });
  return after;
}
