import { z } from "zod";
import { AddedSecondFactor, PasskeyRegistration } from "../../contract/resources/second-factor.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { addFactor, newFactorFields } from "./add.ts";
import { verifyNewPasskey } from "../factors/passkey.ts";
import { secretOfSetup, SetupInput } from "./setup.ts";

const NewPasskey = z.strictObject({
  setup: SetupInput,
  passkey: PasskeyRegistration,
  ...newFactorFields,
});

/** Adds a passkey as a second factor. */
export const addPasskey = externalMutation("secondFactor.addPasskey", NewPasskey)
  .meta(
    rest("Auth").post(
      "/second-factors/passkeys",
      "Add a passkey",
      "Adds a passkey (WebAuthn) as a second factor. From then on, signing in needs a second " +
        "factor; API keys and connected apps go on working. The first factor ends the caller's " +
        "other sessions and brings recovery codes. The owner is notified by mail. An account has " +
        "at most 20 factors. Where the server verifies email addresses, it returns 403 until the " +
        "caller's is verified.",
      { errors: ["CONFLICT"] },
    ),
  )
  .output(AddedSecondFactor)
  .mutation(async ({ ctx, input }) => {
    const { caller, deps } = ctx;
    secretOfSetup(deps, caller, input.setup);
    const made = await verifyNewPasskey(deps, input.setup, input.passkey);
    if (made === undefined) {
      throw badRequest("passkey_invalid", "The browser has not made what was asked for.", [
        "passkey",
      ]);
    }
    const adding = addFactor(ctx, input.password, (tx) =>
      tx.prisma.secondFactor.create({
        data: {
          publicId: publicId(),
          userId: caller.userId,
          type: "passkey",
          name: input.name ?? "Passkey",
          ...made,
          createdAt: tx.now,
        },
      }),
    );
    return adding.catch((error: unknown) => {
      if (sqlState(error) !== "23505") throw error;
      throw conflict("passkey_exists", "The passkey was added before.");
    });
  });
