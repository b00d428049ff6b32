import { StartedPasskey } from "../../contract/resources/second-factor.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { readFactors } from "../factors/challenge.ts";
import { creationOptions } from "../factors/passkey.ts";
import { newSetup, noSecret } from "./setup.ts";

/** Begins to make a passkey. */
export const startPasskey = mutation("secondFactor.startPasskey")
  .meta(
    rest("Auth").post(
      "/second-factors/passkeys/start",
      "Begin to make a passkey",
      "Returns what `navigator.credentials.create` of a browser needs. Nothing changes until " +
        "`secondFactor.addPasskey` has the new passkey. Passkeys belong to the host of `BASE_URL`: " +
        "only its pages, and those of hosts below it, can make and use them.",
    ),
  )
  .output(StartedPasskey)
  .mutation(async ({ ctx: { caller, deps, tx } }) => {
    const setup = newSetup(deps, caller, noSecret());
    const factors = await readFactors(tx, caller.userId);
    return { setup, options: creationOptions(deps, caller, factors, setup) };
  });
