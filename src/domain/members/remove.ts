import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockAssigned, removeFrom } from "./removal.ts";

/** Removes a member from a workspace. */
export const removeMember = mutation("member.remove", undefined, {
  beforeLock: ({ member, tx }) => lockAssigned(tx, sql`m.id = ${member.id}`),
})
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "Removes a member from a workspace. The member loses all access, even to what they " +
        "created; their content stays. Returns 409 if they are the last active admin.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, membership, tx } }) => {
    const { hierarchyLevel } = await tx.prisma.role.findUniqueOrThrow({
      where: { id: member.roleId },
    });
    // Members may remove themselves with any role.
    if (member.id !== membership.id) checkAbove(membership, hierarchyLevel);
    await removeFrom(tx, member);
    return success;
  });
