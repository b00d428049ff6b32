import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import { assignedCards, removeFrom } from "./removal.ts";

/** Removes a member from a workspace. */
export const removeMember = mutation("member.remove", undefined, { locksFirst: true })
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "Removes a member from a workspace. The member loses all access, even to what they " +
        "created; their content stays. Returns 409 if they are the last active admin.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { tx } = ctx;
    const { id } = ctx.member;
    await lockCards(tx.query, isCardOf(assignedCards(sql`m.id = ${id}`)));
    const { membership, member } = await ctx.lockTarget();
    const { hierarchyLevel } = await tx.prisma.role.findUniqueOrThrow({
      where: { id: member.roleId },
    });
    // Members may remove themselves, whatever their role.
    if (id !== membership.id) checkAbove(membership, hierarchyLevel);
    await removeFrom(tx, member);
    return success;
  });
