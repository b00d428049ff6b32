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

/** What a provider sends along is its own business: fields that we do not know are let through. */
const Return = z.looseObject({
  provider: z.enum(["github"]).meta({ description: "The service that was connected to." }),
  state: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "What the authorization was started with." }),
  code: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The code of an authorization that was allowed." })
    .optional(),
  error: z
    .string()
    .max(200)
    .meta({ description: "Why an authorization was not allowed." })
    .optional(),
});
const Connected = z.object({ provider: z.string(), account: z.string() }).meta({ id: "Connected" });

/** Where a provider sends the user after they have allowed (or refused) a connection; goes on to the `returnUrl` that it was started with, or shows a small page. */
export const callback = externalMutation("integration.callback", Return)
  .meta(
    rest("Integrations").get(
      "/integration/callback/{provider}",
      "Finish a connection to another service",
      "Where the other service sends the user's browser after they have allowed (or refused) the connection. Goes on to the `returnUrl` that it was started with, or shows a small page.",
      { page: true, errors: ["FORBIDDEN", "NOT_FOUND", "BAD_GATEWAY"] },
    ),
  )
  .output(Connected)
  .mutation(async ({ ctx: { deps, responseMeta, transact }, input }) => {
    const { provider, state, code, error } = input;
    const started = await transact((tx) => takeState(tx.query, state, provider, tx.now));
    if (started === undefined) {
      throw badRequest(
        "The authorization is unknown, was used already, or took over ten minutes.",
        ["state"],
      );
    }
    try {
      if (code === undefined)
        throw badRequest(`GitHub did not allow it: ${error ?? "no code"}.`, ["code"]);
      const account = await connect(deps, started, code);
      goOn(responseMeta, started, { connected: provider });
      return { provider, account };
    } catch (failure) {
      if (started.returnUrl === null || !(failure instanceof Failure)) throw failure;
      goOn(responseMeta, started, { error: error ?? failure.issues[0]?.code ?? failure.failure });
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

function goOn(responseMeta: ResponseMeta, { returnUrl }: Started, told: Record<string, string>) {
  if (returnUrl === null) {
    responseMeta.page = "The connection has been made. You can close this window.";
    return;
  }
  const url = new URL(returnUrl);
  for (const [key, value] of Object.entries(told)) url.searchParams.set(key, value);
  responseMeta.redirect = url.href;
}
