import { randomBytes } from "node:crypto";
import { StartedTotp } from "../../contract/resources/second-factor.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { hostOf } from "../factors/passkey.ts";
import { newSetup } from "./setup.ts";
import { base32, secretBytes } from "../factors/totp.ts";

/** Begins to set up codes of an app as a second factor. */
export const startTotp = mutation("secondFactor.startTotp")
  .meta(
    rest("Auth").post(
      "/second-factors/totp/start",
      "Begin with codes of an app",
      "Returns a new secret for an app for authentication (TOTP). Nothing changes until " +
        "`secondFactor.addTotp` has the first code.",
    ),
  )
  .output(StartedTotp)
  .mutation(({ ctx: { caller, deps } }) => {
    const bytes = randomBytes(secretBytes);
    const [host, secret] = [hostOf(deps), base32(bytes)];
    const label = `${encodeURIComponent(host)}:${encodeURIComponent(caller.email)}`;
    return {
      setup: newSetup(deps, caller, bytes),
      secret,
      url: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(host)}`,
    };
  });
