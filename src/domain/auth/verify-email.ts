import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { badRequest } from "../../platform/errors.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isVerificationOf } from "./verification.ts";

const Verification = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(1_000)
    .meta({ description: "The token from the mail.", examples: ["the-token-of-the-mail"] }),
});

/**
 * Verifies the caller's email address with the mailed token.
 *
 * The caller must be signed in: a person who clicks the link in a mail that they did not ask for
 * must not verify another person's account.
 */
export const verifyEmail = mutation("auth.verifyEmail", Verification)
  .meta(
    rest("Auth").post(
      "/auth/verify-email",
      "Verify your email address",
      "Verifies the caller's email address with the token that was mailed to it. The token works " +
        "within 24 hours, for this account only.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, deps, tx }, input }) => {
    if (!isVerificationOf(deps, input.token, caller, tx.now)) {
      throw badRequest(
        "token_invalid",
        "The token is invalid, has expired or belongs to another account.",
        ["token"],
      );
    }
    await tx.prisma.user.updateMany({
      where: { id: caller.userId, emailVerifiedAt: null },
      data: { emailVerifiedAt: tx.now },
    });
    return success;
  });
