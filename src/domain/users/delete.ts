import { z } from "zod";
import { mayReach } from "../../kernel/procedures.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { isPassword, isStillPassword, Password } from "../auth/password.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { badRequest, forbidden } from "../../platform/errors.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { record } from "../../kernel/events/persist.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import type { Context } from "../../kernel/context.ts";
import { rest } from "../../kernel/rest.ts";
import { enqueue } from "../../kernel/jobs/queue.ts";
import { removeFrom } from "../members/removal.ts";
import { nobody } from "../views/deleted-account.ts";

const Deletion = z.strictObject({ password: Password.optional() });

/** Deletes the caller's account; what they made with others stays, without their name. */
export const deleteMe = mayReach("user.delete", Deletion)
  .meta(
    rest("Users").delete(
      "/users/me",
      "Delete the caller's account",
      "Needs the password when the account has one. The address is free again; boards, cards and comments stay, without a name. 409 while the caller is the last admin of a workspace: hand it on or delete it first.",
      { inBody: true },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const { caller, db, deps, origin } = ctx;
    const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
    if (passwordHash !== null) {
      if (input.password === undefined) throw badRequest("The password is needed.", ["password"]);
      await deps.limits.signIn(caller.email, origin.ip);
      if (!(await isPassword(input.password, passwordHash))) throw wrong();
    }
    await ctx.transact(async (work) => {
      if (!(await isStillPassword(work.query, caller.userId, passwordHash))) throw wrong();
      await leaveAll(work, ctx, caller);
      await forgetHistory(work, caller);
      await forget(work, caller.userId);
    });
    return success;
  });

const wrong = () => forbidden("The password is wrong.");

async function leaveAll(work: Work<"member.removed">, ctx: Context, caller: Caller) {
  // Members come before their workspaces.
  await work.query(`SELECT 1 FROM members WHERE "userId" = $1 ORDER BY id FOR NO KEY UPDATE`, [
    caller.userId,
  ]);
  const members = await work.tx.member.findMany({
    where: { userId: caller.userId, status: { not: "removed" } },
    orderBy: { workspaceId: "asc" },
    include: { workspace: { select: { deletedAt: true } } },
  });
  for (const { workspace, ...member } of members) {
    if (workspace.deletedAt !== null) continue;
    work.workspaceId = member.workspaceId;
    await removeFrom(work, member);
    // Each workspace is told of its own member only.
    await record(work, actorOf(caller), ctx.origin);
    work.announced.length = 0;
  }
}

/** Takes the name out of the history, which may be long: beside the call, in small steps. */
async function forgetHistory(work: Work, { userId }: Caller) {
  const members = await work.tx.member.findMany({ where: { userId } });
  await enqueue(work, "forget", {
    userId: String(userId),
    memberPublicIds: members.map((member) => member.publicId),
    workspaceIds: members.map(({ workspaceId }) => String(workspaceId)),
  });
}

async function forget({ tx, query, now }: Work, userId: bigint) {
  const where = { userId };
  await query(
    `UPDATE members SET status = 'removed', "removedAt" = coalesce("removedAt", $2::timestamptz), "userId" = NULL,
       email = 'deleted-' || "publicId" || '@deleted.invalid' WHERE "userId" = $1`,
    [userId, now],
  );
  await tx.session.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: now } });
  await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: now } });
  await tx.passwordReset.deleteMany({ where });
  await tx.comment.updateMany({ where: { createdById: userId }, data: { authorName: null } });
  await tx.integration.deleteMany({ where });
  await tx.notification.deleteMany({ where });
  await tx.cardWatcher.deleteMany({ where });
  await tx.boardFavourite.deleteMany({ where });
  await query(
    `UPDATE users SET email = 'deleted-' || "publicId" || '@deleted.invalid', name = '${nobody}', image = NULL,
       "passwordHash" = NULL, issuer = NULL, subject = NULL, "deletedAt" = $2::timestamptz, version = version + 1 WHERE id = $1`,
    [userId, now],
  );
}
