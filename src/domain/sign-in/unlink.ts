import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { unlinkIdentity } from "./account.ts";

/** Unlinks a provider from the caller's account. */
export const unlinkProvider = mutation(
  "signIn.unlink",
  z.strictObject({ identityPublicId: inputId("identity") }),
)
  .meta(
    rest("Auth").delete(
      "/sign-in/identities/{identityPublicId}",
      "Unlink a provider",
      "Unlinks a provider from the caller's account. Returns 409 for the last way to sign in: set a " +
        "password first.",
      { errors: ["CONFLICT"] },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { caller, tx }, input: { identityPublicId } }) => {
    await unlinkIdentity(tx, caller.userId, identityPublicId);
    return success;
  });
