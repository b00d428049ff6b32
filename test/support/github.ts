import { createHash, randomBytes } from "node:crypto";
import { type FakeAccount, rootOf } from "./github-account.ts";
import { execute } from "./github-graphql.ts";
import { type Recorded, type Reply, type StandIn, startStandIn } from "./stand-in.ts";

/**
 * GitHub on a loopback port: OAuth pages, `GET /user`, GraphQL; also under `/api` as an Enterprise
 * Server has them.
 */
export type FakeGitHub = StandIn & {
  apiUrl: string;
  enterpriseApiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Whose data is shown; change at will. */
  account: FakeAccount;
  /** What the user does on the authorize page. */
  decision: "allow" | "deny";
  /** Whether grants expire, as a GitHub App's do. */
  expiring: boolean;
  /** Makes a good access token without the OAuth pages. */
  grant(scopes?: string[]): string;
  /** Withdraws a token, as the account's owner can. */
  revoke(token: string): void;
};

const clientId = "Iv23liFakeClientId00";
const clientSecret = "fake-client-secret-0123456789abcdef01234567";
const docs = "https://docs.github.com/";

type Code = { challenge: string | null; redirectUri: string; scopes: string[] };

/** Starts a GitHub whose account `octocat` has nothing yet. */
export async function startGitHub(): Promise<FakeGitHub> {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, string[]>();
  const refreshTokens = new Map<string, { accessToken: string; scopes: string[] }>();

  const mint = (scopes: string[], prefix = "gho") => {
    const token = `${prefix}_${randomBytes(18).toString("hex")}`;
    tokens.set(token, scopes);
    return token;
  };

  const authorize = (query: URLSearchParams): Reply => {
    const to = new URL(query.get("redirect_uri") ?? "");
    to.searchParams.set("state", query.get("state") ?? "");
    if (query.get("client_id") !== clientId) return notFound;
    if (github.decision === "deny") {
      to.searchParams.set("error", "access_denied");
      to.searchParams.set("error_description", "The user has denied your application access.");
      return { status: 302, headers: { location: to.href }, body: "" };
    }
    const code = randomBytes(10).toString("hex");
    codes.set(code, {
      challenge: query.get("code_challenge"),
      redirectUri: query.get("redirect_uri") ?? "",
      scopes: (query.get("scope") ?? "").split(" ").filter(Boolean),
    });
    to.searchParams.set("code", code);
    return { status: 302, headers: { location: to.href }, body: "" };
  };

  const granted = (scopes: string[]) => {
    if (!github.expiring) {
      return { access_token: mint(scopes), token_type: "bearer", scope: scopes.join(",") };
    }
    const accessToken = mint([...scopes], "ghu");
    const refreshToken = `ghr_${randomBytes(38).toString("hex")}`;
    refreshTokens.set(refreshToken, { accessToken, scopes });
    return {
      access_token: accessToken,
      expires_in: 28_800,
      refresh_token: refreshToken,
      refresh_token_expires_in: 15_897_600,
      token_type: "bearer",
      scope: "",
    };
  };

  const exchange = (form: URLSearchParams): object => {
    const field = (name: string) => form.get(name) ?? "";
    if (field("client_id") !== clientId || field("client_secret") !== clientSecret) {
      return oauthErrors.incorrect_client_credentials;
    }
    if (field("grant_type") === "refresh_token") {
      const known = refreshTokens.get(field("refresh_token"));
      if (known === undefined) return oauthErrors.bad_refresh_token;
      refreshTokens.delete(field("refresh_token"));
      tokens.delete(known.accessToken);
      return granted(known.scopes);
    }
    const code = codes.get(field("code"));
    codes.delete(field("code"));
    const shown = createHash("sha256").update(field("code_verifier")).digest("base64url");
    if (code === undefined || (code.challenge !== null && code.challenge !== shown)) {
      return oauthErrors.bad_verification_code;
    }
    if (code.redirectUri !== field("redirect_uri")) return oauthErrors.redirect_uri_mismatch;
    return granted(code.scopes);
  };

  const response = (request: Recorded): Reply => {
    const { path, query, headers, body } = request;
    if (path === "/login/oauth/authorize") return authorize(query);
    if (path === "/login/oauth/access_token") {
      return { status: 200, body: exchange(new URLSearchParams(body)) };
    }
    if (!headers["user-agent"]) return { status: 403, body: "Request forbidden: no User-Agent." };
    const scopes = tokens.get((headers.authorization ?? "").replace(/^(bearer|token) /i, ""));
    if (scopes === undefined) return badCredentials;
    const rate = { "x-ratelimit-remaining": "4999", "x-oauth-scopes": scopes.join(", ") };
    if (path === "/user" || path === "/api/v3/user") {
      const { login } = github.account;
      const user = {
        login,
        id: 583_231,
        node_id: "MDQ6VXNlcjU4MzIzMQ==",
        type: "User",
        name: null,
      };
      return { status: 200, headers: rate, body: user };
    }
    if (path === "/graphql" || path === "/api/graphql") {
      const { query: question, variables } = JSON.parse(body);
      const data = execute(rootOf(github.account, scopes), question, variables ?? {});
      return { status: 200, headers: rate, body: data };
    }
    return notFound;
  };

  const standIn = await startStandIn(response);
  const github: FakeGitHub = {
    ...standIn,
    apiUrl: standIn.url,
    enterpriseApiUrl: `${standIn.url}/api/v3`,
    clientId,
    clientSecret,
    account: { login: "octocat", projects: [], organizations: [] },
    decision: "allow",
    expiring: false,
    grant: (scopes = ["read:org", "read:project"]) => mint(scopes),
    revoke: (token) => void tokens.delete(token),
  };
  return github;
}

const notFound: Reply = {
  status: 404,
  body: { message: "Not Found", documentation_url: `${docs}rest`, status: "404" },
};

const badCredentials: Reply = {
  status: 401,
  body: { message: "Bad credentials", documentation_url: `${docs}rest`, status: "401" },
};

const oauthError = (error: string, error_description: string) => ({
  error,
  error_description,
  error_uri: `${docs}apps/oauth-apps/maintaining-oauth-apps/troubleshooting/#${error}`,
});

const oauthErrors = {
  incorrect_client_credentials: oauthError(
    "incorrect_client_credentials",
    "The client_id and/or client_secret passed are incorrect.",
  ),
  redirect_uri_mismatch: oauthError(
    "redirect_uri_mismatch",
    "The redirect_uri MUST match the registered callback URL for this application.",
  ),
  bad_verification_code: oauthError(
    "bad_verification_code",
    "The code passed is incorrect or expired.",
  ),
  bad_refresh_token: oauthError(
    "bad_refresh_token",
    "The refresh token passed is incorrect or expired.",
  ),
};
