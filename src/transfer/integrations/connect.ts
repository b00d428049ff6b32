import type { Deps } from "../../kernel/request/deps.ts";
import { exchangeGitHubCode } from "./github/grant.ts";
import { readGitHubAccount } from "./github/oauth.ts";
import { saveGrant } from "./grant.ts";
import { callbackUrl, githubApp, sealedFor, type Started } from "./state.ts";

/** Trades a code for a grant, stores it for the user who started, and returns the account. */
export async function connectAccount(deps: Deps, started: Started, code: string): Promise<string> {
  const app = githubApp(deps);
  const grant = await exchangeGitHubCode(app, {
    code,
    verifier: deps.seal.open(sealedFor.verifier, started.codeVerifier),
    redirectUri: callbackUrl(deps, "github"),
  });
  const { login, scopes } = await readGitHubAccount(app, grant.accessToken);
  const known = grant.scopes.length > 0 ? grant.scopes : scopes;
  await saveGrant(deps, started.userId, { ...grant, scopes: known }, login);
  return login;
}
