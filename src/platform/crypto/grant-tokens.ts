import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
  exportJWK,
  jwtVerify,
  SignJWT,
} from "jose";
import type { JWK } from "jose";
import {
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomUUID,
  type KeyObject,
} from "node:crypto";

const alg = "EdDSA";
const typ = "at+jwt";

/** How long the access token of a grant is valid, in seconds. */
export const grantTokenSeconds = 60 * 60;

/** The number of verified tokens that are cached. */
const maxCached = 10_000;

/** What the access token of a grant says (RFC 9068). */
export type GrantClaims = {
  /** The public ids of the grant and its user. */
  grant: string;
  user: string;
  clientId: string;
  /** The address that the token is for. */
  resource: string;
  scope: string;
};

/** Issues and verifies the access tokens of grants, which apps may verify with the public keys. */
export type GrantTokens = {
  issue(claims: GrantClaims, now: Date): Promise<string>;
  /** Whether an unverified token is to be read here. */
  names(token: string): boolean;
  /** The grant of a token and what it is for, or the reason why it is invalid. */
  read(token: string): Promise<{ grant: string; resource: string } | { fault: string }>;
  /** The public keys: of the current secret, and of the previous ones. */
  publicKeys: readonly JWK[];
};

type SigningKey = { kid: string; secret: KeyObject; verify: KeyObject; jwk: JWK };

/** The head of an Ed25519 key in PKCS #8. Its seed follows. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key of a secret: no key is stored. */
async function keyOf(appSecret: string): Promise<SigningKey> {
  const seed = Buffer.from(hkdfSync("sha256", appSecret, "", "oauth signing key", 32));
  const der = { key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" } as const;
  const secret = createPrivateKey(der);
  const verify = createPublicKey(secret);
  const jwk = await exportJWK(verify);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, secret, verify, jwk: { ...jwk, kid, alg, use: "sig" } };
}

/** Access tokens of grants are EdDSA JWTs. Tokens under previous secrets are still valid. */
export async function createGrantTokens(
  secrets: readonly [current: string, ...previous: string[]],
  issuer: string,
  clock: () => Date,
): Promise<GrantTokens> {
  const [currentSecret, ...previous] = secrets;
  const current = await keyOf(currentSecret);
  const keys = [current, ...(await Promise.all(previous.map(keyOf)))];
  const cache = new Map<string, { grant: string; resource: string; expires: number }>();
  return {
    publicKeys: keys.map(({ jwk }) => jwk),
    issue({ grant, user, clientId, resource, scope }, now) {
      const seconds = Math.floor(now.getTime() / 1000);
      return new SignJWT({ grant, client_id: clientId, scope })
        .setProtectedHeader({ alg, typ, kid: current.kid })
        .setIssuer(issuer)
        .setAudience(resource)
        .setSubject(user)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + grantTokenSeconds)
        .sign(current.secret);
    },
    names(token) {
      try {
        return decodeProtectedHeader(token).alg === alg;
      } catch {
        return false;
      }
    },
    async read(token) {
      const cached = cache.get(token);
      if (cached !== undefined && clock().getTime() < cached.expires) return cached;
      try {
        const key = keys.find(({ kid }) => kid === decodeProtectedHeader(token).kid);
        if (key === undefined) return unknown;
        const { payload } = await jwtVerify(token, key.verify, {
          algorithms: [alg],
          issuer,
          typ,
          requiredClaims: ["exp", "sub", "aud"],
          currentDate: clock(),
        });
        const { grant, aud, exp } = payload;
        if (typeof grant !== "string" || typeof aud !== "string") return unknown;
        if (cache.size >= maxCached) cache.clear();
        const read = { grant, resource: aud, expires: Number(exp) * 1000 };
        cache.set(token, read);
        return read;
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { fault: "The access token has expired." };
        if (!(error instanceof errors.JOSEError)) throw error;
        return unknown;
      }
    },
  };
}

const unknown = { fault: "The credential is malformed or was not issued by this service." };
