import { randomBytes } from "node:crypto";
import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";

const resetMs = 60 * 60 * 1000;

/** Mails a token that sets a new password; nothing in the answer tells whether the address has an account. */
export const requestPasswordReset = manualMutation(
  "auth.requestPasswordReset",
  z.strictObject({ email: Email }),
)
  .meta(
    rest("Auth").post(
      "/auth/password/reset-request",
      "Ask for a new password",
      "Mails a token that is good once, for an hour. The answer is always the same.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input: { email } }) => {
    await ctx.deps.limits.signIn(email, ctx.requestMetadata.ip);
    await ctx.transact(async (tx) => {
      const user = await tx.prisma.user.findUnique({ where: { email, deletedAt: null } });
      if (user === null) return;
      const token = randomBytes(32).toString("base64url");
      await tx.prisma.passwordReset.create({
        data: {
          userId: user.id,
          tokenHash: fingerprint(token),
          createdAt: tx.now,
          expiresAt: new Date(tx.now.getTime() + resetMs),
        },
      });
      await queueMail(tx, {
        to: email,
        subject: "A new password",
        text: `Somebody, hopefully you, asked for a new password.\n\n${wayIn(ctx.deps, token)}\n\nIt is good once, for an hour. If it was not you, there is nothing to do.`,
      });
    });
    return success;
  });

/** The operator's own page when there is one; else the token, and where it goes. */
function wayIn({ config, baseUrl }: Pick<Deps, "config" | "baseUrl">, token: string): string {
  if (config.PASSWORD_RESET_URL === undefined) {
    return `The token is ${token}\nSend it with the new password to ${baseUrl}/api/v1/auth/password/reset`;
  }
  const page = new URL(config.PASSWORD_RESET_URL);
  page.searchParams.set("token", token);
  return page.href;
}
