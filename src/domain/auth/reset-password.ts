import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { badRequest } from "../../platform/errors.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { hashPassword, NewPassword } from "./password.ts";

const Reset = z.strictObject({ token: z.string().min(1).max(200), newPassword: NewPassword });

/** Sets a new password by a mailed token; ends all sessions. */
export const resetPassword = manualMutation("auth.resetPassword", Reset)
  .meta(
    rest("Auth").post(
      "/auth/password/reset",
      "Set a new password by a mailed token",
      "The token is good once, for an hour. All sessions of the account end.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const tokenHash = fingerprint(input.token);
    const open = (now: Date) => ({ tokenHash, usedAt: null, expiresAt: { gt: now } });
    const bad = () =>
      badRequest("The token is unknown, was used, or is over an hour old.", ["token"]);
    if ((await ctx.db.passwordReset.count({ where: open(ctx.deps.clock()) })) === 0) throw bad();
    const passwordHash = await hashPassword(input.newPassword, ctx.deps.config);
    await ctx.transact(async ({ prisma, now }) => {
      const [taken] = await prisma.passwordReset.updateManyAndReturn({
        where: open(now),
        data: { usedAt: now },
        select: { userId: true },
      });
      if (taken === undefined) throw bad();
      const { userId } = taken;
      await prisma.passwordReset.updateMany({
        where: { userId, usedAt: null },
        data: { usedAt: now },
      });
      await prisma.user.update({
        where: { id: userId },
        data: { passwordHash, version: { increment: 1 }, updatedAt: now },
      });
      await prisma.session.updateMany({
        where: { userId, revokedAt: null },
        data: { revokedAt: now },
      });
    });
    return success;
  });
