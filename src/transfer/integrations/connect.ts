import type { Deps } from "../../kernel/request/deps.ts";
import { exchangeGitHubCode } from "./github/grant.ts";
import { readGitHubAccount } from "./github/oauth.ts";
import { saveGrant } from "./grant.ts";
import { callbackUrl, endAuthorization, githubApp, openStart, type Started } from "./state.ts";

/** Trades a code for a grant, stores it for the user who started, and returns the account. */
export async function connectAccount(deps: Deps, started: Started, code: string): Promise<string> {
  const app = githubApp(deps);
  const start = openStart(deps.seal, started);
  const grant = await exchangeGitHubCode(app, {
    code,
    verifier: start.verifier,
    redirectUri: callbackUrl(deps, "github"),
  });
  const { login, scopes } = await readGitHubAccount(app, grant.accessToken);
  const known = grant.scopes.length > 0 ? grant.scopes : scopes;
  await saveGrant(deps, started.userId, { ...grant, scopes: known }, login, (query) =>
    endAuthorization(query, started, start, deps.clock()),
  );
  return login;
}
