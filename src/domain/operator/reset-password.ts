import { z } from "zod";
import { PasswordResetLink } from "../../contract/resources/operator.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { passwordResetPage } from "../../platform/frontend-pages.ts";
import { createReset, mailReset } from "../auth/mail-password-reset.ts";
import { conflict } from "../../platform/errors.ts";
import { lockUser } from "../users/lock-user.ts";

const Reset = z.strictObject({
  userPublicId: inputId("user"),
  mail: z
    .boolean()
    .default(false)
    .meta({ description: "Mails the link to the account instead of returning it." }),
});

/** Creates a link with which the owner of an account sets a new password. */
export const resetUserPassword = mutation("operator.resetPassword", Reset)
  .meta(
    rest("Operator").post(
      "/operator/users/{userPublicId}/password-reset",
      "Create a password reset link",
      "Creates a token with which `auth.resetPassword` sets a new password of an account, once, " +
        "within one hour. Returns it with its link, or mails both with `mail`. The present " +
        "password works until then. A disabled account cannot use it while it is disabled.",
    ),
  )
  .output(PasswordResetLink)
  .mutation(async ({ ctx: { deps, tx }, input: { userPublicId, mail } }) => {
    const { user } = await lockUser(tx, userPublicId);
    if (user.isService) {
      throw conflict("service_account", "Nobody signs in to a service account.");
    }
    const { token, expiresAt } = await createReset(tx, user.id);
    if (mail) await mailReset(tx, deps, user.email, token);
    const shown = mail ? null : token;
    const url = shown === null ? null : (passwordResetPage(deps.config, shown) ?? null);
    return { token: shown, url, expiresAt: iso(expiresAt) };
  });
