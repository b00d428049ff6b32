import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { mailVerification } from "./verification.ts";

/** Mails a new verification token to the caller. */
export const resendVerification = mutation("auth.resendVerification")
  .meta(
    rest("Auth").post(
      "/auth/verify-email/resend",
      "Mail a verification token",
      "Mails a new verification token to the caller's email address. This works a few times per " +
        "hour. It sends nothing if the address is already verified.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, deps, tx } }) => {
    const { emailVerifiedAt } = await tx.prisma.user.findUniqueOrThrow({
      where: { id: caller.userId },
      select: { emailVerifiedAt: true },
    });
    if (emailVerifiedAt !== null) return success;
    await deps.limits.verification(caller.userId);
    await mailVerification(tx, deps, caller);
    return success;
  });
