import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { badRequest, forbidden } from "../../platform/errors.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { hasNonce } from "./nonce.ts";
import {
  authorizationUnknown,
  saveResult,
  takeState,
  type Started,
  callbackUrl,
  endAuthorization,
  githubApp,
  openStart,
} from "./state.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { exchangeGitHubCode } from "./github/grant.ts";
import { readGitHubAccount } from "./github/oauth.ts";
import { saveGrant } from "./grant.ts";

/** The parameters from the provider; unknown ones are ignored. */
const Return = z.looseObject({
  provider: z.enum(["github"]).meta({ description: "The service that was connected to." }),
  state: z
    .string()
    .min(1)
    .max(500)
    .meta({ examples: ["k9dRtY2mVb8s"], description: "The state of the authorization request." }),
  code: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The code of a granted authorization.", examples: ["5d2f7c1e9b3a"] })
    .optional(),
  error: z.string().max(200).meta({ description: "Why the authorization was denied." }).optional(),
});
/** A connection that was made. */
export const Connected = z
  .object({
    provider: z.string().meta({ description: "The service.", examples: ["github"] }),
    account: z
      .string()
      .meta({ description: "The name of the account at the service.", examples: ["ada"] }),
  })
  .meta({ id: "Connected", description: "A new connection to another service." });

/**
 * Receives the user's browser from the provider.
 *
 * With a `returnUrl` the app finishes the connection as the signed-in user. Without one the cookie
 * proves that the same browser started it.
 */
export const callback = externalMutation("integration.callback", Return, { callsOut: true })
  .meta(
    rest("Integrations").get(
      "/integration/callback/{provider}",
      "Receive an authorization",
      "Receives the user's browser after they have authorized a connection at the other " +
        "service. It redirects to the `returnUrl` with a `result` for `integration.complete`, " +
        "or with an `error`. Without a `returnUrl` it finishes the connection and shows a page. " +
        "It then returns 403 for a browser without the cookie of `integration.authorize`.",
      { page: true, errors: ["FORBIDDEN", "NOT_FOUND", "BAD_GATEWAY"] },
    ),
  )
  .output(Connected)
  .mutation(async ({ ctx, input: { provider, state, code, error } }) => {
    const { deps, responseMeta, transact } = ctx;
    const authorization = await transact((tx) => takeState(tx.query, state, provider, tx.now));
    if (authorization === undefined) throw authorizationUnknown("state");
    const { returnUrl } = authorization;
    if (returnUrl === null) {
      checkBrowser(ctx, authorization);
      const account = await connectAccount(deps, authorization, requireCode(code, error));
      responseMeta.page = "The connection was made. You can close this window.";
      return { provider, account };
    }
    const redirect = (parameters: Record<string, string>) => {
      const url = new URL(returnUrl);
      for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
      responseMeta.redirect = url.href;
      return { provider, account: "" };
    };
    if (code === undefined) return redirect({ error: error ?? "no_code" });
    const result = await transact((tx) => saveResult(tx, deps.seal, authorization.id, code));
    return redirect({ provider, result });
  });

function checkBrowser(ctx: Pick<Context, "deps" | "cookies">, { nonceHash }: Started) {
  if (nonceHash !== null && hasNonce(ctx, nonceHash)) return;
  throw forbidden(
    "started_elsewhere",
    "Another browser started this connection. Start and finish it in one browser.",
  );
}

function requireCode(code: string | undefined, error = "no code"): string {
  if (code === undefined)
    throw badRequest("authorization_denied", `GitHub denied the authorization: ${error}.`, [
      "code",
    ]);
  return code;
}

/** Trades a code for a grant, stores it for the user who started, and returns the account. */
export async function connectAccount(
  deps: Deps,
  authorization: Started,
  code: string,
): Promise<string> {
  const app = githubApp(deps);
  const start = openStart(deps.seal, authorization);
  const grant = await exchangeGitHubCode(app, {
    code,
    verifier: start.verifier,
    redirectUri: callbackUrl(deps, "github"),
  });
  const { login, scopes } = await readGitHubAccount(app, grant.accessToken);
  const grantedScopes = grant.scopes.length > 0 ? grant.scopes : scopes;
  await saveGrant(deps, authorization.userId, { ...grant, scopes: grantedScopes }, login, (query) =>
    endAuthorization(query, authorization, start, deps.clock()),
  );
  return login;
}
