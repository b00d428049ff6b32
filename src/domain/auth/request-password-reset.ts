import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { enqueue } from "../../kernel/jobs/queue.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";

/**
 * Mails a password reset token.
 *
 * A job looks for the account, so that neither the response nor its time reveals whether it exists.
 */
export const requestPasswordReset = externalMutation(
  "auth.requestPasswordReset",
  z.strictObject({ email: Email }),
)
  .meta(
    rest("Auth").post(
      "/auth/password/reset-request",
      "Request a password reset",
      "Mails a token that resets the password of an account. The token works once, within one " +
        "hour. The response is the same whether or not the address has an account.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input: { email } }) => {
    const options = { uniqueKey: fingerprint(email), priority: -1 };
    await ctx.deps.limits.resetRequest(email, ctx.requestMetadata.ip, () =>
      ctx.transact(async (tx) => void (await enqueue(tx, "passwordReset", { email }, options))),
    );
    return success;
  });
