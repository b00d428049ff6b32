import { randomBytes } from "node:crypto";
import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { passwordResetPage } from "../../platform/frontend-pages.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";

const resetMs = 60 * 60 * 1000;
/** The number of mails per hour to one account. */
const maxResets = 5;

/** Mails a password reset token. The response does not reveal whether the account exists. */
export const requestPasswordReset = manualMutation(
  "auth.requestPasswordReset",
  z.strictObject({ email: Email }),
)
  .meta(
    rest("Auth").post(
      "/auth/password/reset-request",
      "Request a password reset",
      "Mails a token that works once, within one hour. The response is the same for every address.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input: { email } }) => {
    const request = () =>
      ctx.transact(async (tx) => {
        const user = await tx.prisma.user.findUnique({ where: { email, deletedAt: null } });
        if (user === null) return;
        // Enough valid tokens are in the owner's mailbox.
        const since = new Date(tx.now.getTime() - resetMs);
        const where = { userId: user.id, createdAt: { gt: since } };
        if ((await tx.prisma.passwordReset.count({ where })) >= maxResets) return;
        const token = randomBytes(32).toString("base64url");
        await tx.prisma.passwordReset.create({
          data: {
            userId: user.id,
            tokenHash: fingerprint(token),
            createdAt: tx.now,
            expiresAt: new Date(tx.now.getTime() + resetMs),
          },
        });
        const { text, verbatim } = resetInstructions(ctx.deps, token);
        await queueMail(
          tx,
          ctx.deps,
          { to: email, subject: "Reset your password", text: mailText(text), verbatim },
          { signIn: true },
        );
      });
    await ctx.deps.limits.resetRequest(email, ctx.requestMetadata.ip, request);
    return success;
  });

/** The frontend's page, or the token and the API endpoint. */
function resetInstructions(
  { config, baseUrl }: Pick<Deps, "config" | "baseUrl">,
  token: string,
): { text: string; verbatim: string[] } {
  const page = passwordResetPage(config, token);
  if (page === undefined) {
    const endpoint = `${baseUrl}/api/v1/auth/password/reset`;
    const text = `The token is ${token}\nSend it with the new password to ${endpoint}`;
    return { text, verbatim: [token, endpoint] };
  }
  return { text: page, verbatim: [page] };
}

const mailText = (instructions: string) =>
  `Someone requested a new password for this account.\n\n${instructions}\n\n` +
  "It works once, within one hour. If it was not you, ignore this mail.";
