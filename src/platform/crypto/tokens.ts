import { errors, jwtVerify, SignJWT } from "jose";
import { createHmac, hkdfSync } from "node:crypto";

const issuer = "workspace-board-service";
const typ = "at+jwt";

/** Every refresh token starts so. */
export const refreshTokenPrefix = "rt_";

/** Makes and reads access tokens, and tells which refresh token follows which. */
export type Tokens = {
  /** An access token for a session, good for 15 minutes. */
  issue(
    session: string,
    user: string,
    now: Date,
  ): Promise<{ accessToken: string; expiresAt: Date }>;
  /** The session that a token stands for and its user, or a sentence on what is wrong with it. */
  read(token: string): Promise<{ session: string; user: string } | { fault: string }>;
  /** The refresh token that follows another, under the current secret and then under those before it: always the same, so that a retry can be told it again although it is stored nowhere. */
  successors(refreshToken: string): [current: string, ...previous: string[]];
};

/** How long an access token is good for, in seconds. */
export const accessTokenSeconds = 15 * 60;

/** How many tokens are remembered as verified, so that a client's next call need not verify its token again. */
const mostSeen = 10_000;

/** Access tokens are HS256 JWTs under a key derived from the secret; tokens under the previous secrets are still read. */
export async function createTokens(secrets: string[], clock: () => Date): Promise<Tokens> {
  const keys = await Promise.all(secrets.map(keyOf));
  const [current] = keys;
  const [chain, ...previousChains] = secrets.map((secret) => derived(secret, "refresh tokens"));
  if (current === undefined || chain === undefined)
    throw new Error("Access tokens need at least one secret.");
  const seen = new Map<string, { session: string; user: string; expires: number }>();
  return {
    async issue(session, user, now) {
      const seconds = Math.floor(now.getTime() / 1000);
      const accessToken = await new SignJWT({ sid: session })
        .setProtectedHeader({ alg: "HS256", typ })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(user)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + accessTokenSeconds)
        .sign(current);
      return { accessToken, expiresAt: new Date((seconds + accessTokenSeconds) * 1000) };
    },
    async read(token) {
      const known = seen.get(token);
      if (known !== undefined && clock().getTime() < known.expires) return known;
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: ["HS256"],
            issuer,
            audience: issuer,
            typ,
            requiredClaims: ["exp"],
            currentDate: clock(),
          });
          const { sid, sub, exp } = payload;
          if (typeof sid === "string" && typeof sub === "string") {
            if (seen.size >= mostSeen) seen.clear();
            const read = { session: sid, user: sub, expires: Number(exp) * 1000 };
            seen.set(token, read);
            return read;
          }
        } catch (error) {
          if (error instanceof errors.JWTExpired) return { fault: "The access token has expired." };
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return { fault: "The credential is malformed or was not issued here." };
    },
    successors(refreshToken) {
      const follow = (key: Buffer) =>
        `${refreshTokenPrefix}${createHmac("sha256", key).update(refreshToken).digest("base64url")}`;
      return [follow(chain), ...previousChains.map(follow)];
    },
  };
}

const derived = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

async function keyOf(secret: string) {
  const bytes = derived(secret, "access tokens");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}
