import { z } from "zod";
import { UserNameInput } from "../../contract/fields/shared.ts";
import { MemberDetail } from "../../contract/resources/members.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMemberDetail } from "../presenters/members.ts";
import { emitMemberUpdates } from "../users/sync-profile.ts";
import { findServiceAccount } from "./find.ts";

/** Renames a service account. */
export const updateServiceAccount = mutation(
  "serviceAccount.update",
  z.strictObject({ name: UserNameInput }),
  {
    beforeLock: ({ member, tx }) =>
      tx.query(sql`SELECT 1 FROM users WHERE id = ${member.userId} FOR NO KEY UPDATE`),
  },
)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}/service-accounts/{memberPublicId}",
      "Rename a service account",
      "Changes the name of a service account. `member.updateRole` changes its role, and the " +
        "operations on permissions what it may do.",
    ),
  )
  .output(MemberDetail)
  .mutation(async ({ ctx: { workspace, member, tx }, input: { name } }) => {
    const account = await findServiceAccount(tx.query, member);
    if (account.name !== name) {
      await tx.prisma.user.update({
        where: { id: account.id },
        data: { name, version: { increment: 1 }, updatedAt: tx.now },
      });
      await emitMemberUpdates(tx, account.id);
    }
    const where = { id: member.id };
    const after = await tx.prisma.member.findUniqueOrThrow({ where, select: memberSelect });
    return showMemberDetail(after, workspace, false);
  });
