import { z } from "zod";
import { UserNameInput } from "../../contract/fields/shared.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { IdentityClaims } from "../../kernel/access/identity-claims.ts";
import type { SignInProvider } from "../../platform/sign-in-providers.ts";
import type { Checks } from "./checks.ts";
import { isUnreachable, proofOf, providerOf, reasonOf, redirectUriOf } from "./providers.ts";
import { saveProof, takeStart } from "./state.ts";

/** The parameters from the provider; unknown ones are ignored. */
const Return = z.looseObject({
  provider: z
    .string()
    .min(1)
    .max(32)
    .meta({ description: "The provider.", examples: ["github"] }),
  state: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The state of the sign-in.", examples: ["k9dRtY2mVb8s"] }),
  code: z
    .string()
    .min(1)
    .max(4_000)
    .meta({ description: "The code of a sign-in.", examples: ["5d2f7c1e9b3a"] })
    .optional(),
  iss: z
    .string()
    .max(2_048)
    .meta({ description: "Who sends the code (RFC 9207).", examples: ["https://issuer.example"] })
    .optional(),
  error: z.string().max(200).meta({ description: "Why there is none." }).optional(),
  name: UserNameInput.meta({
    description: "The name that Apple sends once, beside its token.",
    examples: ["Ada"],
  }).optional(),
});

/** Receives the browser from a provider, and sends it on with a one-time result. */
export const receiveSignIn = externalMutation("signIn.callback", Return, { callsOut: true })
  .meta(
    rest("Auth").get(
      "/sign-in/callback/{provider}",
      "Receive a sign-in",
      "Receives the browser after a person has signed in at a provider. It redirects to the " +
        "`returnUrl` with a `result` for `signIn.finish`, or with an `error`: `access_denied`, " +
        "`provider_unreachable` or `sign_in_failed`.",
      { page: true, errors: ["NOT_FOUND"] },
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input }) => {
    const { deps, responseMeta, transact } = ctx;
    const provider = providerOf(deps, input.provider);
    const { state } = input;
    const begun = await transact((tx) =>
      takeStart(tx.query, deps.seal, { state, provider: provider.id, now: tx.now }),
    );
    const returnWith = (parameters: Record<string, string>) => {
      const url = new URL(begun.returnUrl);
      for (const name of ["result", "error"]) url.searchParams.delete(name);
      for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
      responseMeta.redirect = url.href;
      return success;
    };
    const proof = await prove(deps, provider, input, begun.checks);
    if ("error" in proof) return returnWith(proof);
    const result = await transact((tx) => saveProof(tx, deps.seal, begun.id, proof));
    return returnWith({ result });
  });

/** Whom the provider proves, or why it proves nobody. */
async function prove(
  deps: Deps,
  provider: SignInProvider,
  { name, state, code, iss, error }: z.output<typeof Return>,
  checks: Checks,
): Promise<IdentityClaims | { error: string }> {
  if (code === undefined) {
    return { error: error === "access_denied" ? "access_denied" : "sign_in_failed" };
  }
  const returned = new URL(redirectUriOf(deps, provider));
  for (const [key, value] of Object.entries({ state, code, iss, error })) {
    if (value !== undefined) returned.searchParams.set(key, value);
  }
  try {
    const proof = await proofOf(provider, returned, checks, deps);
    if (proof === undefined) return { error: "sign_in_failed" };
    if (provider.kind !== "apple" || name === undefined) return proof;
    // No token has it: it comes by the person's own browser.
    return { ...proof, name };
  } catch (failed) {
    deps.log.warn(
      { reason: reasonOf(failed), provider: provider.id },
      "a sign-in through a provider failed",
    );
    return { error: isUnreachable(failed) ? "provider_unreachable" : "sign_in_failed" };
  }
}
