import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { conflict, forbidden } from "../../platform/errors.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { hashPassword, isPassword, isStillPassword, NewPassword, Password } from "./password.ts";

const Change = z.strictObject({ currentPassword: Password, newPassword: NewPassword });

/** Sets another password; ends all sessions but this one. */
export const changePassword = manualMutation("auth.changePassword", Change)
  .meta(
    rest("Auth").put(
      "/auth/password",
      "Change my password",
      "Ends all other sessions. A wrong current password is 403, and counts as a try to sign in.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const { caller, db, deps, requestMetadata, transact } = ctx;
    await deps.limits.signIn(caller.email, requestMetadata.ip);
    const user = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
    if (user.passwordHash === null) throw conflict("This account has no password.");
    if (!(await isPassword(input.currentPassword, user.passwordHash, deps.config))) throw wrong();
    const passwordHash = await hashPassword(input.newPassword, deps.config);
    await transact(async ({ prisma, query, now }) => {
      if (!(await isStillPassword(query, user.id, user.passwordHash))) throw wrong();
      await prisma.user.update({
        where: { id: user.id },
        data: { passwordHash, version: { increment: 1 }, updatedAt: now },
      });
      await prisma.passwordReset.updateMany({
        where: { userId: user.id, usedAt: null },
        data: { usedAt: now },
      });
      await prisma.session.updateMany({
        where: { userId: user.id, revokedAt: null, id: { not: caller.sessionId ?? 0n } },
        data: { revokedAt: now },
      });
    });
    return success;
  });

const wrong = () => forbidden("The current password is wrong.");
