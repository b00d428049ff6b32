import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";
import { confirmOwner, OwnerPassword } from "../auth/confirm-owner.ts";
import { tellOwner } from "./add.ts";
import { readFactors } from "../factors/challenge.ts";

const Removal = z.strictObject({
  secondFactorPublicId: inputId("secondFactor"),
  password: OwnerPassword,
});

/** Removes a second factor from the caller's account. */
export const removeSecondFactor = externalMutation("secondFactor.remove", Removal)
  .meta(
    rest("Auth").delete(
      "/second-factors/{secondFactorPublicId}",
      "Remove a second factor",
      "Removes a passkey, or the codes of an app, from the caller's account. With the " +
        "last factor the recovery codes go as well, and signing in needs no second factor. The owner " +
        "is notified by mail.",
      { inBody: true },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input: { secondFactorPublicId, password } }) => {
    const { caller, deps } = ctx;
    const { userId } = caller;
    const confirm = await confirmOwner(ctx, { isUnrestricted: true, password });
    await ctx.transact(async (tx) => {
      await confirm(tx);
      const factors = await readFactors(tx, userId);
      const factor = factors.find(({ publicId }) => publicId === secondFactorPublicId);
      if (factor === undefined) throw notFound("secondFactor");
      await tx.prisma.secondFactor.delete({ where: { id: factor.id } });
      if (factors.length === 1) await tx.prisma.recoveryCode.deleteMany({ where: { userId } });
      await tellOwner(tx, deps, caller.email, {
        subject: "A second factor was removed",
        sentence: `The second factor "${factor.name}" was removed from your account.`,
      });
    });
    return success;
  });
