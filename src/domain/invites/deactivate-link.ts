import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Deactivates the workspace's invite link. */
export const deactivateLink = mutation("invite.deactivateLink")
  .meta(
    rest("Invites").delete(
      "/workspaces/{workspacePublicId}/invites",
      "Deactivate the invite link",
      "Deactivates the invite link of a workspace. Mailed invite codes keep working.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx } }) => {
    await tx.prisma.invite.updateMany({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      data: { deactivatedAt: tx.now, sealedCode: null },
    });
    return success;
  });
