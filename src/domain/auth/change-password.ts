import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { conflict, forbidden } from "../../platform/errors.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import {
  hashPassword,
  verifyPassword,
  lockIfPasswordUnchanged,
  NewPassword,
  Password,
} from "./password.ts";

const Change = z.strictObject({
  currentPassword: Password.meta({
    description: "The current password.",
    examples: ["correct horse battery staple"],
  }),
  newPassword: NewPassword,
  revokeCredentials: z
    .boolean()
    .default(false)
    .meta({ description: "Also revokes all API keys and connections." }),
});

/** Changes the caller's password and revokes all other sessions. */
export const changePassword = externalMutation("auth.changePassword", Change)
  .meta(
    rest("Auth").put(
      "/auth/password",
      "Change your password",
      "Changes the caller's password and revokes all other sessions. With `revokeCredentials` it " +
        "also revokes API keys and connections to other services. Returns 403 if the current " +
        "password is wrong.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const { caller, db, deps, transact } = ctx;
    const user = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
    if (user.passwordHash === null) throw conflict("no_password", "This account has no password.");
    const verify = () => verifyPassword(input.currentPassword, user.passwordHash, ctx);
    if (!(await deps.limits.password(caller.userId, verify))) throw wrong();
    const passwordHash = await hashPassword(input.newPassword, ctx);
    await transact(async ({ prisma, query, now }) => {
      if (!(await lockIfPasswordUnchanged(query, user.id, user.passwordHash))) throw wrong();
      await prisma.user.update({
        where: { id: user.id },
        data: { passwordHash, version: { increment: 1 }, updatedAt: now },
      });
      if (input.revokeCredentials) {
        await revokeCredentials({ prisma, query }, user.id, now, caller.sessionId ?? undefined);
        return;
      }
      await prisma.passwordReset.updateMany({
        where: { userId: user.id, usedAt: null },
        data: { usedAt: now },
      });
      await prisma.signInChallenge.deleteMany({ where: { userId: user.id } });
      await prisma.session.updateMany({
        where: { userId: user.id, revokedAt: null, id: { not: caller.sessionId ?? 0n } },
        data: { revokedAt: now },
      });
    });
    return success;
  });

const wrong = () => forbidden("wrong_password", "The current password is wrong.");
