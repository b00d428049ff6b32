import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import type { ResponseMeta } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { exchangeGitHubCode } from "./github/grant.ts";
import { whoIsOnGitHub } from "./github/oauth.ts";
import { saveGrant } from "./grant.ts";
import { callbackUrl, githubApp, sealedFor, takeState, type Started } from "./state.ts";

/** The parameters from the provider; unknown ones are ignored. */
const Return = z.looseObject({
  provider: z.enum(["github"]).meta({ description: "The service that was connected to." }),
  state: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The state of the authorization request." }),
  code: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The code of a granted authorization." })
    .optional(),
  error: z.string().max(200).meta({ description: "Why the authorization was denied." }).optional(),
});
const Connected = z.object({ provider: z.string(), account: z.string() }).meta({ id: "Connected" });

/** Finishes a connection when the provider redirects the user's browser here. */
export const callback = externalMutation("integration.callback", Return)
  .meta(
    rest("Integrations").get(
      "/integration/callback/{provider}",
      "Finish a connection to another service",
      "The other service redirects the user's browser here after the authorization. Redirects to the `returnUrl` of the authorization, or shows a page.",
      { page: true, errors: ["FORBIDDEN", "NOT_FOUND", "BAD_GATEWAY"] },
    ),
  )
  .output(Connected)
  .mutation(async ({ ctx: { deps, responseMeta, transact }, input }) => {
    const { provider, state, code, error } = input;
    const started = await transact((tx) => takeState(tx.query, state, provider, tx.now));
    if (started === undefined) {
      throw badRequest(
        "The authorization is unknown, was used before, or has expired after ten minutes.",
        ["state"],
      );
    }
    try {
      if (code === undefined)
        throw badRequest(`GitHub denied the authorization: ${error ?? "no code"}.`, ["code"]);
      const account = await connect(deps, started, code);
      redirect(responseMeta, started, { connected: provider });
      return { provider, account };
    } catch (failure) {
      if (started.returnUrl === null || !(failure instanceof Failure)) throw failure;
      redirect(responseMeta, started, {
        error: error ?? failure.issues[0]?.code ?? failure.failure,
      });
      return { provider, account: "" };
    }
  });

async function connect(deps: Deps, started: Started, code: string): Promise<string> {
  const app = githubApp(deps);
  const grant = await exchangeGitHubCode(app, {
    code,
    verifier: deps.seal.open(sealedFor.verifier, started.codeVerifier),
    redirectUri: callbackUrl(deps, "github"),
  });
  const { login, scopes } = await whoIsOnGitHub(app, grant.accessToken);
  const known = grant.scopes.length > 0 ? grant.scopes : scopes;
  await saveGrant(deps, started.userId, { ...grant, scopes: known }, login);
  return login;
}

function redirect(
  responseMeta: ResponseMeta,
  { returnUrl }: Started,
  parameters: Record<string, string>,
) {
  if (returnUrl === null) {
    responseMeta.page = "The connection was made. You can close this window.";
    return;
  }
  const url = new URL(returnUrl);
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  responseMeta.redirect = url.href;
}
