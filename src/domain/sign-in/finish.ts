import { SignedIn } from "../../contract/resources/auth.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { countUser } from "../auth/login.ts";
import { openSession, signedIn } from "../auth/session.ts";
import { factorOfIssuer } from "../factors/verify.ts";
import { accountOf } from "./account.ts";
import { ReturnedInput } from "./returned.ts";
import { useProof } from "./state.ts";

/** Finishes a sign-in through a provider. */
export const finishSignIn = externalMutation("signIn.finish", ReturnedInput)
  .meta(
    rest("Auth").post(
      "/sign-in/finish",
      "Finish a sign-in through a provider",
      "Signs in the person whom the provider has proved, and returns tokens and the user. Makes an " +
        "account for a new address that the provider has verified. Returns 409 (`link_required`) if " +
        "the address has an account already: sign in to it, and call `signIn.link` with the same " +
        "result. Returns 403 (`second_factor_required`) for an account with a second factor, unless " +
        "the provider says that it has asked for one (`amr` has `mfa`).",
      { errors: ["UNAUTHORIZED", "FORBIDDEN", "CONFLICT"] },
    ),
  )
  .output(SignedIn)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    const opened = await deps.limits.guess(ctx.requestMetadata.ip, () =>
      useProof(ctx, input, async (tx, proved) => {
        const account = await accountOf(tx, deps, proved);
        // A refusal comes before the result is used.
        await ctx.prove?.(() => countUser(deps, account.publicId));
        return openSession(tx, ctx, account, factorOfIssuer(proved.proof));
      }),
    );
    return signedIn(ctx, opened);
  });
