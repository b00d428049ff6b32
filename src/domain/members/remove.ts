import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { manualMutation } from "../../kernel/procedures/external-mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import { assignedCards, removeFrom } from "./removal.ts";

/** Removes a member from a workspace. */
export const removeMember = manualMutation("member.remove", undefined, { joins: true })
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}",
      "Remove a member",
      "The member loses all access, also to what they created. Their content stays. The last " +
        "active admin gets 409.",
    ),
  )
  .output(Success)
  // Not `mutation`, which locks the member first: cards come before members.
  .mutation(({ ctx }) =>
    ctx.transact(async (tx) => {
      const { id } = ctx.member;
      await lockCards(tx.query, isCardOf(assignedCards(sql`m.id = ${id}`)));
      const { membership, member } = await ctx.lockTarget(tx);
      const { hierarchyLevel } = await tx.prisma.role.findUniqueOrThrow({
        where: { id: member.roleId },
      });
      // Members may remove themselves, whatever their role.
      if (id !== membership.id) checkAbove(membership, hierarchyLevel);
      await removeFrom(tx, member);
      return success;
    }),
  );
