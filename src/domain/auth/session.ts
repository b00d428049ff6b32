import { randomBytes } from "node:crypto";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import type { Context } from "../../kernel/request/context.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { refreshTokenPrefix } from "../../platform/crypto/tokens.ts";

/** How long a session lives after its last use, in ms. */
export const sessionMs = 30 * 24 * 60 * 60 * 1000;

/** The public ids of a session and its user. */
export type SessionRef = { session: string; user: string };

/** The columns that each use of a session updates. It expires 30 days later. */
export const sessionUsage = ({ userAgent, requestMetadata }: Context, now: Date) => ({
  userAgent: userAgent ?? null,
  ip: requestMetadata.ip,
  lastUsedAt: now,
  expiresAt: new Date(now.getTime() + sessionMs),
});

/** Creates a session with its first refresh token. */
export async function openSession(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  ctx: Context,
  user: { id: bigint; publicId: string },
): Promise<{ session: SessionRef; refreshToken: string }> {
  const refreshToken = `${refreshTokenPrefix}${randomBytes(32).toString("base64url")}`;
  const session = publicId();
  const { userAgent, ip, lastUsedAt, expiresAt } = sessionUsage(ctx, now);
  await query(sql`WITH opened AS (
      INSERT INTO sessions ("publicId", "userId", "userAgent", ip, "createdAt", "lastUsedAt",
        "expiresAt")
      VALUES (${session}, ${user.id}, ${userAgent}, ${ip}, ${now}::timestamptz,
        ${lastUsedAt}::timestamptz, ${expiresAt}::timestamptz)
      RETURNING id
    )
    INSERT INTO refresh_tokens ("sessionId", "tokenHash", "createdAt")
    SELECT id, ${fingerprint(refreshToken)}, ${now}::timestamptz FROM opened`);
  return { session: { session, user: user.publicId }, refreshToken };
}

/** Issues an access token for a session, together with the refresh token. */
export async function issueTokens(
  { deps }: Context,
  { session, user }: SessionRef,
  refreshToken: string,
) {
  const { accessToken, expiresAt } = await deps.tokens.issue(session, user, deps.clock());
  return { accessToken, refreshToken, tokenType: "Bearer" as const, expiresAt: iso(expiresAt) };
}
