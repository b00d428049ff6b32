import { z } from "zod";
import { RecoveryCodes } from "../../contract/resources/second-factor.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { conflict } from "../../platform/errors.ts";
import { confirmOwner, OwnerPassword } from "../auth/confirm-owner.ts";
import { tellOwner } from "./add.ts";
import { readFactors } from "../factors/challenge.ts";
import { replaceRecoveryCodes } from "../factors/recovery-codes.ts";

/** Replaces the recovery codes of the caller's account. */
export const createRecoveryCodes = externalMutation(
  "secondFactor.createRecoveryCodes",
  z.strictObject({ password: OwnerPassword }),
)
  .meta(
    rest("Auth").post(
      "/second-factors/recovery-codes",
      "Make new recovery codes",
      "Returns ten new recovery codes this one time; older ones stop working. The owner is notified " +
        "by mail. Returns 409 for an account without a second factor.",
      { errors: ["CONFLICT"] },
    ),
  )
  .output(RecoveryCodes)
  .mutation(async ({ ctx, input: { password } }) => {
    const { caller, deps } = ctx;
    const confirm = await confirmOwner(ctx, { isUnrestricted: true, password });
    return ctx.transact(async (tx) => {
      await confirm(tx);
      if ((await readFactors(tx, caller.userId)).length === 0) {
        throw conflict("no_second_factor", "Add a second factor first.");
      }
      const recoveryCodes = await replaceRecoveryCodes(tx, caller.userId);
      await tellOwner(tx, deps, caller.email, {
        subject: "New recovery codes",
        sentence: "New recovery codes were made for your account. Older ones stopped working.",
      });
      return { recoveryCodes };
    });
  });
