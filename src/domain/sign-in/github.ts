import { createHash } from "node:crypto";
import { z } from "zod";
import { claimsOf, type IdentityClaims } from "../../kernel/access/identity-claims.ts";
import { joinUrl } from "../../platform/http/third-party.ts";
import type { SignInProvider } from "../../platform/sign-in-providers.ts";
import type { Checks } from "./checks.ts";
import { fetchOf } from "./http.ts";

type GitHub = Extract<SignInProvider, { kind: "github" }>;

// GitHub speaks OAuth 2.0 without OpenID Connect: its API says who it is.
const User = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });
const Emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

async function configurationOf({ name, url, clientId, clientSecret }: GitHub) {
  const client = await import("openid-client");
  const metadata = {
    issuer: url,
    authorization_endpoint: joinUrl(url, "/login/oauth/authorize"),
    token_endpoint: joinUrl(url, "/login/oauth/access_token"),
  };
  const configuration = new client.Configuration(
    metadata,
    clientId,
    clientSecret,
    client.ClientSecretPost(clientSecret),
  );
  configuration[client.customFetch] = fetchOf(name);
  if (url.startsWith("http:")) client.allowInsecureRequests(configuration);
  return { client, configuration };
}

/** Where a person signs in at GitHub. */
export async function githubUrl(
  provider: GitHub,
  { redirectUri, checks }: { redirectUri: string; checks: Checks },
): Promise<string> {
  const { client, configuration } = await configurationOf(provider);
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "read:user user:email",
    state: checks.state,
    code_challenge: createHash("sha256").update(checks.verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).href;
}

/** Calls the API of GitHub without a token. Throws when nobody answers. */
export async function reachGithub({ name, apiUrl }: GitHub): Promise<void> {
  const request = { method: "GET", headers: {}, body: null, redirect: "manual" } as const;
  await fetchOf(name)(apiUrl, request);
}

/** Whom GitHub proves by the address to which the browser returned. Throws what is wrong. */
export async function githubProof(
  provider: GitHub,
  { returned, checks }: { returned: URL; checks: Checks },
): Promise<IdentityClaims | undefined> {
  const { client, configuration } = await configurationOf(provider);
  const tokens = await client.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: checks.verifier,
    expectedState: checks.state,
  });
  const send = fetchOf(provider.name);
  const get = async <Shape>(path: string, schema: z.ZodType<Shape>): Promise<Shape> => {
    const response = await send(joinUrl(provider.apiUrl, path), {
      method: "GET",
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        accept: "application/vnd.github+json",
      },
      body: null,
      redirect: "manual",
    });
    return schema.parse(await response.json());
  };
  const [user, emails] = await Promise.all([get("/user", User), get("/user/emails", Emails)]);
  const email = emails.find(({ primary, verified }) => primary && verified)?.email;
  return claimsOf(provider.url, {
    sub: String(user.id),
    name: user.name ?? user.login,
    ...(email === undefined ? {} : { email, email_verified: true }),
  });
}
