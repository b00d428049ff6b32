import { SecondFactors } from "../../contract/resources/second-factor.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showSecondFactor } from "../presenters/second-factors.ts";
import { countRecoveryCodes, readFactors } from "../factors/challenge.ts";

/** Lists the second factors of the caller's account. */
export const listSecondFactors = query("secondFactor.list")
  .meta(
    rest("Auth").get(
      "/second-factors",
      "List your second factors",
      "Returns the second factors of the caller's account, and how many recovery codes are left.",
    ),
  )
  .output(SecondFactors)
  .query(async ({ ctx: { caller, db } }) => ({
    factors: (await readFactors(db, caller.userId)).map(showSecondFactor),
    recoveryCodes: await countRecoveryCodes(db, caller.userId),
  }));
