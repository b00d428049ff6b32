import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import { lockUser, requireOtherOperator } from "./lock-user.ts";
import { proveOwner, OwnerPassword } from "../auth/confirm-owner.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { enqueue } from "../../kernel/jobs/queue.ts";
import { removeEverywhere, type RemovalEvents } from "../members/removal.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import { deletedAccountName } from "../presenters/deleted-account.ts";
import { inOrder } from "../../platform/db/in-order.ts";
import { sql } from "../../platform/db/sql.ts";

const Deletion = z.strictObject({
  password: OwnerPassword,
});

/** Deletes the caller's account. Content in shared workspaces stays, without the name. */
export const deleteMe = externalMutation("user.delete", Deletion)
  .meta(
    rest("Users").delete(
      "/users/me",
      "Delete your account",
      "Deletes the caller's account. Boards, cards and comments stay, but no longer show the name. " +
        "Returns 409 if the caller is the last admin of a workspace: appoint another admin or delete " +
        "the workspace first. The last operator of a service without `ADMIN_KEY` cannot leave either.",
      { inBody: true },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const { caller, db, deps } = ctx;
    const account = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
    const confirm = await proveOwner(ctx, input.password);
    await ctx.transact(async (tx) => {
      if (account.isOperator) {
        const { isLastOperator } = await lockUser(tx, account.publicId);
        requireOtherOperator(isLastOperator, deps.config);
      }
      await confirm(tx);
      await deleteAccount(tx, caller.userId);
    });
    return success;
  });

/** Deletes a locked account; 409 for the last admin of a workspace. */
export async function deleteAccount(tx: UnitOfWork<RemovalEvents>, userId: bigint): Promise<void> {
  const former = await formerAuthors(tx, userId);
  await removeEverywhere(tx, userId);
  await enqueueAnonymization(tx, userId);
  await eraseAccount(tx, userId);
  await publishErasure(tx, former);
}

/** The removed memberships of a user in workspaces that show comments of the user. */
const formerAuthors = async ({ query }: UnitOfWork, userId: bigint) =>
  query<{ id: bigint }>(
    sql`SELECT m.id FROM members m JOIN workspaces w ON w.id = m."workspaceId"
      WHERE m."userId" = ${userId} AND m.status = 'removed' AND w."deletedAt" IS NULL
        AND EXISTS (SELECT 1 FROM comments c WHERE c."createdById" = m."userId"
          AND c."workspaceId" = m."workspaceId")
      ORDER BY m."workspaceId"`,
  );

/** Publishes `member.removed` once more: the name of the author of comments has changed. */
async function publishErasure(tx: UnitOfWork<RemovalEvents>, members: { id: bigint }[]) {
  for (const { id } of members) {
    const after = await tx.prisma.member.update({
      where: { id },
      data: { version: { increment: 1 }, updatedAt: tx.now },
      select: { ...memberSelect, workspaceId: true },
    });
    const data = { memberPublicId: after.publicId, member: showMember(after, false) };
    tx.emitIn(after.workspaceId, "member.removed", data);
  }
}

/** Anonymizes the history in a background job, because it can be long. */
async function enqueueAnonymization(tx: UnitOfWork, userId: bigint) {
  const members = await tx.prisma.member.findMany({ where: { userId } });
  const user = {
    userId: String(userId),
    memberPublicIds: members.map((member) => member.publicId),
    workspaceIds: members.map(({ workspaceId }) => String(workspaceId)),
  };
  await enqueue(tx, "anonymizeUser", user, { accountId: userId });
}

async function eraseAccount({ prisma, query, now }: UnitOfWork, userId: bigint) {
  const where = { userId };
  await query(
    sql`UPDATE members SET status = 'removed', "removedAt" = coalesce("removedAt",
      ${now}::timestamptz),
       "userId" = NULL, email = 'deleted-' || "publicId" || '@deleted.invalid'
     WHERE "userId" = ${userId}`,
  );
  await revokeCredentials({ prisma, query }, userId, now);
  await prisma.secondFactor.deleteMany({ where });
  await prisma.recoveryCode.deleteMany({ where });
  await prisma.passwordReset.deleteMany({ where });
  await prisma.comment.updateMany({ where: { createdById: userId }, data: { authorName: null } });
  const isTheirs = inOrder("notifications", sql`"userId" = ${userId}`, sql`UPDATE`);
  await query(sql`DELETE FROM notifications WHERE ${isTheirs}`);
  await prisma.cardWatcher.deleteMany({ where });
  await prisma.boardFavourite.deleteMany({ where });
  await query(sql`UPDATE users SET email = 'deleted-' || "publicId" || '@deleted.invalid',
      name = ${deletedAccountName}, image = NULL, "timeZone" = NULL, "passwordHash" = NULL,
      issuer = NULL, subject = NULL, "isOperator" = false, "deletedAt" = ${now}::timestamptz,
      version = version + 1, "updatedAt" = ${now}::timestamptz
    WHERE id = ${userId}`);
}
