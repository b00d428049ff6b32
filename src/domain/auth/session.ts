import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { SignedIn } from "../../contract/resources/auth.ts";
import type { User } from "../../platform/db/rows.ts";
import { failure } from "../../platform/errors.ts";
import { showUser } from "../presenters/users.ts";
import type { SecondFactorChallenge } from "../../contract/resources/second-factor.ts";
import { createChallenge } from "../factors/challenge.ts";
import type { VerifiedFactor } from "../factors/verify.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
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

/** A new session with its first refresh token, or the challenge for the second factor. */
export type Opened =
  | { user: User; session: SessionRef; refreshToken: string }
  | { challenge: SecondFactorChallenge };

/**
 * Creates a session for a locked account whose password, or identity, was proved.
 *
 * Of an account with a second factor it needs the proof of that as well. Without it, the answer of
 * `signedIn` is a challenge.
 */
export async function openSession(
  tx: Pick<UnitOfWork, "query" | "now">,
  ctx: Context,
  user: User,
  factor?: VerifiedFactor,
): Promise<Opened> {
  const refreshToken = `${refreshTokenPrefix}${randomBytes(32).toString("base64url")}`;
  const session = publicId();
  const { userAgent, ip, lastUsedAt, expiresAt } = sessionUsage(ctx, tx.now);
  const rows = await tx.query(sql`WITH opened AS (
      INSERT INTO sessions ("publicId", "userId", "userAgent", ip, "createdAt", "lastUsedAt",
        "expiresAt")
      SELECT ${session}, u.id, ${userAgent}, ${ip}, ${tx.now}::timestamptz,
        ${lastUsedAt}::timestamptz, ${expiresAt}::timestamptz
      FROM users u WHERE u.id = ${user.id}
        AND (${factor?.isVerified === true}::boolean OR NOT u."hasSecondFactor")
      RETURNING id
    )
    INSERT INTO refresh_tokens ("sessionId", "tokenHash", "createdAt")
    SELECT id, ${fingerprint(refreshToken)}, ${tx.now}::timestamptz FROM opened RETURNING 1`);
  if (rows.length === 0) return { challenge: await createChallenge(tx, ctx.deps, user.id) };
  return { user, session: { session, user: user.publicId }, refreshToken };
}

/**
 * The answer of a sign-in, after its transaction: the tokens and the user, or 403 with the challenge.
 */
export async function signedIn(ctx: Context, opened: Opened): Promise<z.infer<typeof SignedIn>> {
  if ("challenge" in opened) throw secondFactorRequired(opened.challenge);
  const { user, session, refreshToken } = opened;
  return { ...(await issueTokens(ctx, session, refreshToken)), user: showUser(user) };
}

const secondFactorRequired = (secondFactor: SecondFactorChallenge) =>
  failure(
    "second_factor_required",
    "The account has a second factor. Send the challenge in `secondFactor` with a code, or with what a " +
      "passkey has signed, to POST /auth/confirm.",
    { more: { secondFactor } },
  );

/** Issues an access token for a session, together with the refresh token. */
export async function issueTokens(
  { deps }: Context,
  { session, user }: SessionRef,
  refreshToken: string,
) {
  const { accessToken, expiresAt } = await deps.tokens.issue(session, user, deps.clock());
  return { accessToken, refreshToken, tokenType: "Bearer" as const, expiresAt: iso(expiresAt) };
}
