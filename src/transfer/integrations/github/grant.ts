import { z } from "zod";
import { type Failure, badGateway, failure } from "../../../platform/errors.ts";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { readResponse } from "../../../platform/http/responses.ts";
import { createThirdPartyClient, joinUrl } from "../../../platform/http/third-party.ts";
import { accept, codeRefused, type GitHubApp, limited, refused, scopesOf } from "./response.ts";

/**
 * What GitHub grants: times in seconds from now and null where the token does not expire (OAuth
 * apps); scopes empty for GitHub Apps.
 */
export type GitHubGrant = {
  accessToken: string;
  scopes: string[];
  expiresIn: number | null;
  refreshToken: string | null;
  refreshTokenExpiresIn: number | null;
};

/** Trades a callback's code for a grant; throws 403 (code refused), 429 or 502. */
export const exchangeGitHubCode = (
  app: GitHubApp,
  callback: { code: string; verifier: string; redirectUri: string },
) =>
  requestGrant(app, {
    code: callback.code,
    code_verifier: callback.verifier,
    redirect_uri: callback.redirectUri,
  });

/**
 * Renews an expiring grant, which spends the refresh token; throws 403 (refused: connect again),
 * 429 or 502.
 */
export const refreshGitHubGrant = (app: GitHubApp, refreshToken: string) =>
  requestGrant(app, { grant_type: "refresh_token", refresh_token: refreshToken });

// Goes into a header later, so nothing but visible ASCII.
const Secret = z.string().regex(/^[\x21-\x7e]+$/);
const Seconds = z.number().positive();
export const Reply = z.union([
  z.object({ error: z.string() }),
  z.object({
    access_token: Secret,
    scope: z.string().nullish(),
    expires_in: Seconds.nullish(),
    refresh_token: Secret.nullish(),
    refresh_token_expires_in: Seconds.nullish(),
  }),
]);

declareResponses(import.meta.url, { Reply });

async function requestGrant(app: GitHubApp, ask: Record<string, string>): Promise<GitHubGrant> {
  const response = await createThirdPartyClient("GitHub", app.limits)(
    joinUrl(app.url, "/login/oauth/access_token"),
    {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: { client_id: app.clientId, client_secret: app.clientSecret, ...ask },
    },
  );
  const reply = await readResponse(accept(response), Reply);
  // GitHub says 200 to a refusal too.
  if ("error" in reply) throw grantFailure(reply.error, response.headers);
  return {
    accessToken: reply.access_token,
    scopes: scopesOf(reply.scope),
    expiresIn: reply.expires_in ?? null,
    refreshToken: reply.refresh_token ?? null,
    refreshTokenExpiresIn: reply.refresh_token_expires_in ?? null,
  };
}

function grantFailure(error: string, headers: Headers): Failure {
  switch (error) {
    case "bad_verification_code":
      return codeRefused();
    case "bad_refresh_token":
      return refused();
    case "slow_down":
      return limited(headers);
    case "unverified_user_email":
      return failure(error, "GitHub wants the primary address of your account verified first.");
    case "incorrect_client_credentials":
      return badGateway(
        "provider_refused",
        "GitHub does not accept GITHUB_CLIENT_ID with GITHUB_CLIENT_SECRET.",
      );
    case "redirect_uri_mismatch":
      return badGateway(
        "provider_refused",
        "GitHub has another callback address registered for GITHUB_CLIENT_ID.",
      );
    default:
      return badGateway("provider_failed", "GitHub did not grant a connection.");
  }
}
