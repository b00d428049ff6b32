import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { readResponse } from "../../../platform/http/responses.ts";
import { createThirdPartyClient, joinUrl } from "../../../platform/http/third-party.ts";
import { accept, type GitHubApi, type GitHubApp, scopesOf } from "./response.ts";

/**
 * The least that importing Projects v2 needs: `read:project` for projects, `read:org` for the
 * organisations that own them, `repo` for the issues of private repositories on them.
 */
export const githubScopes = ["read:project", "read:org", "repo"] as const;

/** A fresh PKCE pair (RFC 7636, S256): store the verifier, send the challenge. */
export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/**
 * The address at which a user allows the connection; GitHub sends them back to `redirectUri` with
 * `code` and `state`.
 */
export function githubAuthorizeUrl(
  app: Pick<GitHubApp, "url" | "clientId">,
  request: { redirectUri: string; state: string; challenge: string },
): string {
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: request.redirectUri,
    scope: githubScopes.join(" "),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: "S256",
  });
  return joinUrl(app.url, `/login/oauth/authorize?${query.toString()}`);
}

export const Account = z.object({ login: z.string().min(1) });
declareResponses(import.meta.url, { Account });

/** Whose token it is: the account's login and the scopes in force; throws 403, 429 or 502. */
export async function readGitHubAccount(
  api: GitHubApi,
  token: string,
): Promise<{ login: string; scopes: string[] }> {
  const response = await createThirdPartyClient("GitHub", api.limits)(
    joinUrl(api.apiUrl, "/user"),
    {
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
      },
    },
  );
  const { login } = await readResponse(accept(response), Account);
  return { login, scopes: scopesOf(response.headers.get("x-oauth-scopes")) };
}
