import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { tellOwner } from "../second-factor/add.ts";
import { lockUser } from "../users/lock-user.ts";

/** Removes the second factors of an account whose owner has lost them. */
export const removeSecondFactors = mutation(
  "operator.removeSecondFactors",
  z.strictObject({ userPublicId: inputId("user") }),
)
  .meta(
    rest("Operator").delete(
      "/operator/users/{userPublicId}/second-factors",
      "Remove all second factors",
      "Removes all second factors and recovery codes of an account whose owner has lost them: the " +
        "password, or the provider, is then enough to sign in. The owner is notified by mail. Make " +
        "sure first that the owner asks for it.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { deps, tx }, input: { userPublicId } }) => {
    const { user } = await lockUser(tx, userPublicId);
    const where = { userId: user.id };
    const { count } = await tx.prisma.secondFactor.deleteMany({ where });
    await tx.prisma.recoveryCode.deleteMany({ where });
    if (count === 0) return success;
    await tellOwner(tx, deps, user.email, {
      subject: "Your second factors were removed",
      sentence: "An operator of the service has removed the second factors of your account.",
    });
    return success;
  });
