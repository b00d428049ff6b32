import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { removeFrom } from "./removal.ts";

/** Takes a member out of a workspace. */
export const removeMember = mutation("member.remove")
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "Nothing is left of their rights, not even over what they created; what they wrote stays. The last active admin cannot be removed.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, membership, tx } }) => {
    const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== membership.id) checkAbove(membership, role.hierarchyLevel);
    await removeFrom(tx, member);
    return success;
  });
