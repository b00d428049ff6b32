import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { z } from "zod";
import type { Config } from "../../platform/config.ts";
import { Failure, unavailable, invalidToken } from "../../platform/errors.ts";
import { createThirdPartyClient, parseResponse, joinUrl } from "../../platform/http/third-party.ts";
import type { Credential } from "./credential.ts";
import { claimsOf } from "./identity-claims.ts";

/** Reads the tokens of the trusted issuer. */
export type Issuer = {
  /** Whether an unverified token claims to be from this issuer. */
  names(token: string): boolean;
  /** The credential of a token or a 401; 503 while the issuer's keys are unavailable. */
  read(token: string): Promise<Credential | Failure>;
  /** Loads the issuer's keys; rejects when they are unavailable. */
  load(): Promise<void>;
};

const name = "The issuer of the tokens";
// No symmetric algorithm: its key would also sign.
const algorithms = ["RS", "PS", "ES"]
  .flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`))
  .concat("EdDSA", "Ed25519");
const toleratedSeconds = 30;

/** How long the keys are fresh. */
const freshMs = 10 * 60_000;
/** How long the known keys stay valid while the issuer is unreachable. */
const staleMs = 60 * 60_000;
/** The shortest time between two requests for keys. */
const quietMs = 30_000;

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const Keys = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The trusted issuer, if the configuration names one. */
export function createIssuer(config: Config, clock: () => Date): Issuer | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = config;
  if (issuer === undefined || audience.length === 0) return undefined;
  const keys = keysOf(issuer, () => clock().getTime());
  return {
    load: () => keys.load(),
    names(token) {
      try {
        return decodeJwt(token).iss === issuer;
      } catch {
        return false;
      }
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, keys.get, {
          algorithms,
          issuer,
          audience,
          clockTolerance: toleratedSeconds,
          requiredClaims: ["sub", "exp"],
          currentDate: clock(),
        });
        const claims = claimsOf(issuer, payload);
        if (claims === undefined)
          return invalidToken("credential_invalid", "The token has no usable subject (`sub`).");
        const { subject } = claims;
        const expiresAt = (Number(payload.exp) + toleratedSeconds) * 1_000;
        const id = JSON.stringify([issuer, subject, ...(claims.mfa === true ? ["mfa"] : [])]);
        return { kind: "issuer", id, claims, expiresAt };
      } catch (error) {
        return refusal(error);
      }
    },
  };
}

/** The issuer's public keys, found by discovery; time is read from our own clock. */
function keysOf(
  issuer: string,
  now: () => number,
): { get: JWTVerifyGetKey; load(): Promise<void> } {
  let requestedAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let fault: unknown;
  const responseKeys = async () => {
    if (now() - requestedAt < quietMs) throw fault ?? new errors.JWKSNoMatchingKey();
    requestedAt = now();
    try {
      const keys = await fetchKeys(issuer);
      [loadedAt, fault] = [now(), undefined];
      return Response.json(keys);
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  const remote = createRemoteJWKSet(new URL(issuer), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: 0,
    [customFetch]: responseKeys,
  });
  const get: JWTVerifyGetKey = async (header, token) => {
    if (now() - loadedAt > freshMs) {
      try {
        await remote.reload();
      } catch (error) {
        const cachedKeys = remote.jwks();
        if (cachedKeys === undefined || now() - loadedAt > staleMs) throw error;
        return createLocalJWKSet(cachedKeys)(header, token);
      }
    }
    return remote(header, token);
  };
  return { get, load: () => remote.reload() };
}

async function fetchKeys(issuer: string) {
  const send = createThirdPartyClient(name, {
    requestMs: 5_000,
    totalMs: 5_000,
    bytes: 1024 * 1024,
  });
  const getJson = async <Shape>(url: string, schema: z.ZodType<Shape>) => {
    const { status, chunks } = await send(url, { headers: { Accept: "application/json" } });
    if (status !== 200)
      throw unavailable(
        "issuer_unavailable",
        `${name} answered with status ${status} when asked for its keys.`,
      );
    return parseResponse(name, schema, Buffer.concat(chunks).toString());
  };
  const discovery = await getJson(joinUrl(issuer, "/.well-known/openid-configuration"), Discovery);
  if (discovery.issuer !== issuer)
    throw unavailable("issuer_unavailable", `${name} describes an issuer other than ${issuer}.`);
  return getJson(discovery.jwks_uri, Keys);
}

function refusal(error: unknown): Failure {
  if (error instanceof Failure) {
    return unavailable(
      "issuer_unavailable",
      error.issues[0]?.message ?? `${name} does not answer.`,
      { seconds: quietMs / 1000 },
    );
  }
  if (error instanceof errors.JWTExpired)
    return invalidToken("credential_expired", "The issuer's token has expired.");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidToken(
      "credential_invalid",
      `The issuer's token is not for this service, or not yet (${error.claim}).`,
    );
  }
  if (!(error instanceof errors.JOSEError)) throw error;
  return invalidToken(
    "credential_invalid",
    "The token was not signed by the issuer that it names.",
  );
}
