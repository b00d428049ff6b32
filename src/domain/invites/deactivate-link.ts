import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Ends the workspace's link. */
export const deactivateLink = mutation("invite.deactivateLink")
  .meta(
    rest("Invites").delete(
      "/workspaces/{workspacePublicId}/invites",
      "End the link into a workspace",
      "Nobody gets in by it any more; invitations by mail stay.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx } }) => {
    await tx.prisma.invite.updateMany({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      data: { deactivatedAt: tx.now },
    });
    return success;
  });
