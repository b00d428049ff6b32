import { z } from "zod";
import { AddedSecondFactor } from "../../contract/resources/second-factor.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { addFactor, newFactorFields } from "./add.ts";
import { normalized } from "../factors/recovery-codes.ts";
import { secretOfSetup, SetupInput } from "./setup.ts";
import { stepOf } from "../factors/totp.ts";
import { purposeOf } from "../factors/verify.ts";

const NewTotp = z.strictObject({
  setup: SetupInput,
  code: z
    .string()
    .min(6)
    .max(20)
    .meta({ description: "The code that the app shows.", examples: ["492039"] }),
  ...newFactorFields,
});

/** Adds the codes of an app as a second factor. */
export const addTotp = externalMutation("secondFactor.addTotp", NewTotp)
  .meta(
    rest("Auth").post(
      "/second-factors/totp",
      "Add codes of an app",
      "Adds the codes of an app for authentication as a second factor, after its first code has " +
        "shown that it has the secret. From then on, signing in needs a second factor; API keys " +
        "and connected apps go on working. The first factor ends the caller's other sessions and " +
        "brings recovery codes. The owner is notified by mail. Returns 409 if the account has " +
        "such codes already. Where the server verifies email addresses, it returns 403 until the " +
        "caller's is verified.",
      { errors: ["CONFLICT"] },
    ),
  )
  .output(AddedSecondFactor)
  .mutation(({ ctx, input }) => {
    const { caller, deps } = ctx;
    const secret = secretOfSetup(deps, caller, input.setup);
    const step = stepOf(secret, normalized(input.code), deps.clock(), 0);
    if (step === undefined) {
      throw badRequest("code_wrong", "The code is wrong. Check the clock of the device.", ["code"]);
    }
    return addFactor(ctx, input.password, (tx, factors) => {
      if (factors.some(({ type }) => type === "totp")) {
        throw conflict(
          "totp_exists",
          "The account has codes of an app already. Remove them first.",
        );
      }
      const id = publicId();
      return tx.prisma.secondFactor.create({
        data: {
          publicId: id,
          userId: caller.userId,
          type: "totp",
          name: input.name ?? "App for authentication",
          secret: deps.seal.seal(purposeOf(id), secret.toString("base64")),
          lastStep: step,
          createdAt: tx.now,
        },
      });
    });
  });
