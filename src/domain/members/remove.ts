import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { removeFrom } from "./removal.ts";

/** Removes a member from a workspace. */
export const removeMember = mutation("member.remove")
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "The member loses all access, also to what they created. Their content stays. The last " +
        "active admin gets 409.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, membership, tx } }) => {
    const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== membership.id) checkAbove(membership, role.hierarchyLevel);
    await removeFrom(tx, member);
    return success;
  });
