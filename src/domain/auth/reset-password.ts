import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { activeAccount } from "../../kernel/access/active-account.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { hashPassword, NewPassword } from "./password.ts";

const Reset = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "The token from the mail.", examples: ["the-token-of-the-mail"] }),
  newPassword: NewPassword,
});

/** Sets a new password with a mailed token and revokes all credentials of the account. */
export const resetPassword = externalMutation("auth.resetPassword", Reset)
  .meta(
    rest("Auth").post(
      "/auth/password/reset",
      "Reset a password",
      "Sets a new password with a token from `auth.requestPasswordReset`. The token works once, " +
        "within one hour. Revokes all sessions, API keys and connections of the account, and " +
        "verifies its email address.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const tokenHash = fingerprint(input.token);
    const open = (now: Date) => ({
      tokenHash,
      usedAt: null,
      expiresAt: { gt: now },
      user: activeAccount,
    });
    const invalid = () =>
      badRequest("token_invalid", "The token is invalid, has expired or was already used.", [
        "token",
      ]);
    await ctx.deps.limits.guess(ctx.requestMetadata.ip, async () => {
      const count = await ctx.db.passwordReset.count({ where: open(ctx.deps.clock()) });
      if (count === 0) throw invalid();
    });
    const passwordHash = await hashPassword(input.newPassword, ctx);
    const email = await ctx.transact(async ({ prisma, query, now }) => {
      // The account before its tokens, as all changes of an account lock them.
      await query(sql`SELECT 1 FROM users
        WHERE id = (SELECT "userId" FROM password_resets WHERE "tokenHash" = ${tokenHash})
        FOR NO KEY UPDATE`);
      const [reset] = await prisma.passwordReset.updateManyAndReturn({
        where: open(now),
        data: { usedAt: now },
        select: { userId: true },
      });
      if (reset === undefined) throw invalid();
      const { userId } = reset;
      const user = await prisma.user.update({
        where: { id: userId },
        data: {
          passwordHash,
          // The token was mailed to the address.
          emailVerifiedAt: now,
          version: { increment: 1 },
          updatedAt: now,
        },
      });
      await revokeCredentials({ prisma, query }, userId, now);
      return user.email;
    });
    await ctx.deps.limits.passwordReset(email);
    return success;
  });
