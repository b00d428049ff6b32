import { importPKCS8, SignJWT } from "jose";
import type { Configuration, IDToken } from "openid-client";
import { claimsOf, type IdentityClaims } from "../../kernel/access/identity-claims.ts";
import type { SignInProvider } from "../../platform/sign-in-providers.ts";
import { joinUrl } from "../../platform/http/third-party.ts";
import { fetchOf } from "./http.ts";
import type { Checks } from "./checks.ts";

type OpenIdProvider = Exclude<SignInProvider, { kind: "github" }>;

const load = () => import("openid-client");

/** How long what a provider says of itself is not read again, in ms. */
const freshMs = 10 * 60_000;
const known = new WeakMap<SignInProvider, { at: number; reading: Promise<Configuration> }>();

const issuerOf = (provider: OpenIdProvider): string =>
  provider.kind === "microsoft"
    ? joinUrl(provider.url, `/${provider.tenant}/v2.0`)
    : provider.issuer;

/** The secret of a client: Apple's is a token of a few minutes, which its key signs. */
async function secretOf(provider: OpenIdProvider, now: Date): Promise<string> {
  if (provider.kind !== "apple") return provider.clientSecret;
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: provider.keyId })
    .setIssuer(provider.teamId)
    .setSubject(provider.clientId)
    .setAudience(provider.issuer)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 30 * 60)
    .sign(await importPKCS8(provider.privateKey, "ES256"));
}

/** What a provider says of itself, read at most once in ten minutes; 502 when it does not answer. */
async function configurationOf(provider: OpenIdProvider, now: Date): Promise<Configuration> {
  const cached = known.get(provider);
  if (cached !== undefined && now.getTime() - cached.at < freshMs) return cached.reading;
  const reading = discover(provider, now);
  known.set(provider, { at: now.getTime(), reading });
  reading.catch(() => known.delete(provider));
  return reading;
}

async function discover(provider: OpenIdProvider, now: Date): Promise<Configuration> {
  const client = await load();
  const secret = await secretOf(provider, now);
  const issuer = issuerOf(provider);
  const configuration = await client.discovery(
    new URL(issuer),
    provider.clientId,
    secret,
    client.ClientSecretPost(secret),
    {
      [client.customFetch]: fetchOf(provider.name),
      execute: [
        // The signature of a token is checked, although its way here was encrypted.
        client.enableNonRepudiationChecks,
        ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  return configuration;
}

/** Reads what a provider says of itself. Throws what is wrong with it. */
export async function readOpenId(provider: OpenIdProvider, now: Date): Promise<void> {
  await configurationOf(provider, now);
}

/** Where a person signs in at a provider. */
export async function openIdUrl(
  provider: OpenIdProvider,
  { redirectUri, checks, now }: { redirectUri: string; checks: Checks; now: Date },
): Promise<string> {
  const client = await load();
  const configuration = await configurationOf(provider, now);
  const isApple = provider.kind === "apple";
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: isApple ? "openid email name" : "openid email profile",
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: "S256",
    // Apple sends the address and the name only so.
    ...(isApple ? { response_mode: "form_post" } : {}),
    ...(provider.kind === "google" ? { prompt: "select_account" } : {}),
  }).href;
}

/**
 * The claims of a token, which say that its address is verified only if that can be believed.
 * Anybody may write any address into an account of an organisation at Microsoft.
 */
function believed(provider: OpenIdProvider, claims: IDToken): IDToken {
  const isMicrosoft = provider.kind === "microsoft";
  if (!isMicrosoft && provider.kind !== "oidc") return claims;
  if (provider.trustsEmail) return { ...claims, email_verified: true };
  return isMicrosoft ? { ...claims, email_verified: claims["xms_edov"] === true } : claims;
}

/** Whom a provider proves by the address to which the browser returned. Throws what is wrong. */
export async function openIdProof(
  provider: OpenIdProvider,
  { returned, checks, now }: { returned: URL; checks: Checks; now: Date },
): Promise<IdentityClaims | undefined> {
  const client = await load();
  const configuration = await configurationOf(provider, now);
  const tokens = await client.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: checks.verifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) return undefined;
  if (provider.kind === "microsoft" && claims["tid"] !== provider.tenant) return undefined;
  return claimsOf(claims.iss, believed(provider, claims));
}
