import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  exchangeGitHubCode,
  refreshGitHubGrant,
} from "../../../src/transfer/integrations/github/grant.ts";
import {
  createPkce,
  githubAuthorizeUrl,
  githubScopes,
  readGitHubAccount,
} from "../../../src/transfer/integrations/github/oauth.ts";
import { failureOf } from "../../support/caught.ts";
import { type FakeGitHub, startGitHub } from "../../support/github.ts";
import { json } from "../../support/stand-in.ts";

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const redirectUri = "http://127.0.0.1:3000/api/v1/integration/callback/github";
const app = () => ({
  url: github.url,
  apiUrl: github.apiUrl,
  clientId: github.clientId,
  clientSecret: github.clientSecret,
});

async function press(state: string, challenge: string): Promise<URLSearchParams> {
  const url = githubAuthorizeUrl(app(), { redirectUri, state, challenge });
  const response = await fetch(url, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "").searchParams;
}

describe("connecting to GitHub", () => {
  test("sends the user to GitHub with the least scopes, the state and an S256 challenge", () => {
    const { challenge } = createPkce();
    const url = new URL(
      githubAuthorizeUrl(
        { url: "https://github.example/", clientId: "abc" },
        { redirectUri, state: "s&=1", challenge },
      ),
    );
    expect(url.origin + url.pathname).toBe("https://github.example/login/oauth/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "abc",
      redirect_uri: redirectUri,
      scope: "read:project read:org repo",
      state: "s&=1",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
  });

  test("makes a new verifier each time, of the length that RFC 7636 asks for", () => {
    const pairs = Array.from({ length: 50 }, createPkce);
    expect(new Set(pairs.map(({ verifier }) => verifier)).size).toBe(50);
    for (const { verifier, challenge } of pairs) {
      expect(verifier).toMatch(/^[\w-]{43}$/);
      expect(challenge).toMatch(/^[\w-]{43}$/);
    }
  });

  test("trades the code for a token that works, and learns whose it is", async () => {
    const { verifier, challenge } = createPkce();
    const callback = await press("state-1", challenge);
    expect(callback.get("state")).toBe("state-1");
    const code = callback.get("code") ?? "";
    const grant = await exchangeGitHubCode(app(), { code, verifier, redirectUri });
    expect(grant).toEqual({
      accessToken: expect.stringMatching(/^gho_/),
      scopes: [...githubScopes],
      expiresIn: null,
      refreshToken: null,
      refreshTokenExpiresIn: null,
    });
    expect(await readGitHubAccount(app(), grant.accessToken)).toEqual({
      login: "octocat",
      scopes: [...githubScopes],
    });
    const asked = github.requests.find(({ path }) => path === "/login/oauth/access_token");
    expect(asked?.query.size).toBe(0);
  });

  test("stores the refresh token of a GitHub App and renews with it once", async () => {
    github.expiring = true;
    const { verifier, challenge } = createPkce();
    const code = (await press("s", challenge)).get("code") ?? "";
    const grant = await exchangeGitHubCode(app(), { code, verifier, redirectUri });
    expect(grant).toMatchObject({ scopes: [], expiresIn: 28_800 });
    expect(grant.refreshTokenExpiresIn).toBe(15_897_600);
    const renewed = await refreshGitHubGrant(app(), grant.refreshToken ?? "");
    expect(renewed.accessToken).not.toBe(grant.accessToken);
    expect((await readGitHubAccount(app(), renewed.accessToken)).login).toBe("octocat");
    const used = await failureOf(refreshGitHubGrant(app(), grant.refreshToken ?? ""));
    expect(used.body).toMatchObject({ code: "FORBIDDEN", issues: [{ code: "github_refused" }] });
  });

  test("answers 403 to a code that was used, is forged, or belongs to another verifier", async () => {
    const { verifier, challenge } = createPkce();
    const spend = async (code: string, by: string) =>
      exchangeGitHubCode(app(), { code, verifier: by, redirectUri });
    const code = (await press("s", challenge)).get("code") ?? "";
    await spend(code, verifier);
    const other = (await press("s", challenge)).get("code") ?? "";
    for (const [tried, by] of [
      [code, verifier],
      ["0123456789abcdef0123", verifier],
      [other, createPkce().verifier],
    ] as const) {
      const failure = await failureOf(spend(tried, by));
      expect(failure.failure).toBe("FORBIDDEN");
      expect(failure.issues[0]?.code).toBe("github_code_refused");
      expect(failure.issues[0]?.message).toContain("GET /integration/authorize");
    }
  });

  test("answers 502 and names the setting when the service's registration is wrong", async () => {
    const { verifier, challenge } = createPkce();
    const code = (await press("s", challenge)).get("code") ?? "";
    const callback = { code, verifier, redirectUri };
    const secret = await failureOf(
      exchangeGitHubCode({ ...app(), clientSecret: "wrong-secret" }, callback),
    );
    expect(secret.failure).toBe("BAD_GATEWAY");
    expect(secret.issues[0]?.message).toContain("GITHUB_CLIENT_ID");
    const redirect = await failureOf(
      exchangeGitHubCode(app(), { ...callback, redirectUri: "http://127.0.0.1/else" }),
    );
    expect(redirect.failure).toBe("BAD_GATEWAY");
    expect(redirect.issues[0]?.message).toContain("callback address");
  });

  test("answers 502 to a grant whose token is no valid header value", async () => {
    github.failNext(json({ access_token: "gho_a\r\nX-Evil: 1", token_type: "bearer", scope: "" }));
    const asked = exchangeGitHubCode(app(), { code: "c", verifier: "v", redirectUri });
    expect((await failureOf(asked)).failure).toBe("BAD_GATEWAY");
  });

  test("returns with an error and no code when the user declines", async () => {
    github.decision = "deny";
    const callback = await press("s", createPkce().challenge);
    expect(callback.get("error")).toBe("access_denied");
    expect(callback.has("code")).toBe(false);
  });
});
