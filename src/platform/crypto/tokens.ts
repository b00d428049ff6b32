import { errors, jwtVerify, SignJWT } from "jose";
import { createHmac, hkdfSync } from "node:crypto";

const issuer = "workspace-board-service";
const typ = "at+jwt";

/** The prefix of every refresh token. */
export const refreshTokenPrefix = "rt_";

/** Issues and verifies access tokens, and derives successors of refresh tokens. */
export type AccessTokens = {
  /** Issues an access token for a session, valid for 15 minutes. */
  issue(
    session: string,
    user: string,
    now: Date,
  ): Promise<{ accessToken: string; expiresAt: Date }>;
  /** Returns the session and user of a token, or the reason why it is invalid. */
  read(token: string): Promise<{ session: string; user: string } | { fault: string }>;
  /**
   * The next refresh token under the current secret and under the previous ones.
   *
   * It is derived, so that a retry gets the same token although it is stored nowhere.
   */
  successors: (refreshToken: string) => [current: string, ...previous: string[]];
};

/** The lifetime of an access token in seconds. */
const accessTokenSeconds = 15 * 60;

/** The number of verified tokens that are cached. */
const maxCached = 10_000;

/** Access tokens are HS256 JWTs. Tokens under previous secrets are still valid. */
export async function createTokens(secrets: string[], clock: () => Date): Promise<AccessTokens> {
  const keys = await Promise.all(secrets.map(keyOf));
  const [current] = keys;
  const [chain, ...previousChains] = secrets.map((secret) => deriveKey(secret, "refresh tokens"));
  if (current === undefined || chain === undefined)
    throw new Error("At least one secret is required.");
  const cache = new Map<string, { session: string; user: string; expires: number }>();
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
      const cached = cache.get(token);
      if (cached !== undefined && clock().getTime() < cached.expires) return cached;
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
            if (cache.size >= maxCached) cache.clear();
            const read = { session: sid, user: sub, expires: Number(exp) * 1000 };
            cache.set(token, read);
            return read;
          }
        } catch (error) {
          if (error instanceof errors.JWTExpired) return { fault: "The access token has expired." };
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return { fault: "The credential is malformed or was not issued by this service." };
    },
    successors(refreshToken) {
      const follow = (key: Buffer) =>
        refreshTokenPrefix + createHmac("sha256", key).update(refreshToken).digest("base64url");
      return [follow(chain), ...previousChains.map(follow)];
    },
  };
}

const deriveKey = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

async function keyOf(secret: string) {
  const bytes = deriveKey(secret, "access tokens");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}
