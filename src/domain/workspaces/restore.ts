import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit, lockAccount } from "../../kernel/limits.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Workspace as WorkspaceRow } from "../../platform/db/rows.ts";
import { giveBackRepair } from "../permissions/override.ts";
import { showWorkspace, showWorkspaceFor } from "../presenters/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

/** Restores a deleted workspace and everything in it. */
export const restoreWorkspace = mutation("workspace.restore", undefined, {
  async beforeLock({ workspace: { createdById, deletedAt }, tx }) {
    if (createdById !== null && deletedAt !== null) await lockAccount(tx, createdById);
  },
})
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/restore",
      "Restore a deleted workspace",
      "Restores a deleted workspace with everything in it and its slug. The workspace counts " +
        "again towards the limit of the account that created it. If no admin is left, the " +
        "caller gets the permissions to manage the workspace and its members. Restoring a " +
        "workspace that is not deleted changes nothing.",
    ),
  )
  .output(Workspace)
  .mutation(async ({ ctx: { workspace, membership, tx } }) => {
    if (workspace.deletedAt === null) return showWorkspaceFor(membership, workspace);
    const after = await untrashWorkspace(tx, workspace);
    const givenBack = await giveBackRepair({ workspace, membership, tx });
    const may = new Set([...membership.may, ...givenBack]);
    return showWorkspaceFor({ ...membership, may }, after);
  });

/** Brings a locked workspace back from the trash; 409 if its creator's account is full. */
export async function untrashWorkspace(
  tx: UnitOfWork<"workspace.restored">,
  { id, createdById }: Pick<WorkspaceRow, "id" | "createdById">,
): Promise<WorkspaceRow> {
  if (createdById !== null) await checkLimit(tx, "workspaces", createdById);
  const after = await tx.prisma.workspace.update({
    where: { id },
    data: { deletedAt: null, version: { increment: 1 }, updatedAt: tx.now },
  });
  tx.emitIn(id, "workspace.restored", { workspace: showWorkspace(after) });
  return after;
}
