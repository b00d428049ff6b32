import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { unauthorized } from "../../platform/errors.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isActiveAccount } from "../../kernel/access/active-account.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { countUser } from "./login.ts";
import { rotate, type TokenStore } from "./rotate.ts";
import { issueTokens, sessionUsage, type SessionRef } from "./session.ts";
import { Tokens } from "../../contract/resources/auth.ts";

const graceMs = 10_000;

// Both rows are locked: of two calls with one token the second sees the result of the first.
const find = (
  tokenHash: string,
  now: Date,
) => sql`SELECT t.id, t."spentAt", s.id AS "sessionId", s."publicId" AS session,
    u."publicId" AS "user"
  FROM refresh_tokens t
  JOIN sessions s ON s.id = t."sessionId" AND s."revokedAt" IS NULL
    AND s."expiresAt" > ${now}::timestamptz
  JOIN users u ON u.id = s."userId" AND ${isActiveAccount}
  WHERE t."tokenHash" = ${tokenHash} FOR NO KEY UPDATE OF t, s`;
type Row = SessionRef & { id: bigint; spentAt: Date | null; sessionId: bigint };

/**
 * Exchanges a refresh token for new tokens.
 *
 * Reuse means that the token was copied, so the session is revoked. Reuse within the grace period
 * is a retry and returns the newest tokens.
 */
export const refresh = externalMutation(
  "auth.refresh",
  z.strictObject({
    refreshToken: text(1, 255).meta({
      description: "Gets new tokens from `auth.refresh`. It works once, within 30 days.",
      examples: ["the-refresh-token"],
    }),
  }),
)
  .meta(
    rest("Auth").post(
      "/auth/refresh",
      "Refresh your tokens",
      "Exchanges a refresh token for new tokens. A refresh token works once. Using it again " +
        "within 10 seconds returns the newest tokens; after that it revokes the session.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(Tokens)
  .mutation(async ({ ctx, input: { refreshToken } }) => {
    // The error is thrown after the transaction, so that the revocation is committed.
    const { session, next } = await ctx.deps.limits.guess(ctx.requestMetadata.ip, async () => {
      const rotation = await ctx.transact(async (tx) => {
        const [row] = await tx.query<Row>(find(fingerprint(refreshToken), tx.now));
        if (row === undefined) return undefined;
        // A refusal comes before the token is used.
        await ctx.prove?.(() => countUser(ctx.deps, row.user));
        return { session: row, next: await rotateOf(tx, ctx, row, refreshToken) };
      });
      if (rotation === undefined) throw invalid();
      return rotation;
    });
    if (next !== undefined) return issueTokens(ctx, session, next);
    ctx.deps.log.warn(
      { session: session.session, ip: ctx.requestMetadata.ip },
      "session revoked: its refresh token was used twice",
    );
    throw unauthorized(
      "refresh_token_reused",
      "The refresh token was already used. Its session has been revoked.",
    );
  });

const invalid = () =>
  unauthorized("refresh_token_invalid", "The refresh token is invalid or has expired.");

/** Rotates a refresh token of a session; reuse revokes the session. */
async function rotateOf({ prisma, now }: UnitOfWork, ctx: Context, row: Row, token: string) {
  const session = { id: row.sessionId };
  const store: TokenStore = {
    find: (tokenHash) => prisma.refreshToken.findUnique({ where: { tokenHash } }),
    async replace({ id }, tokenHash) {
      await prisma.refreshToken.update({ where: { id }, data: { spentAt: now } });
      await prisma.refreshToken.create({
        data: { sessionId: session.id, tokenHash, createdAt: now },
      });
      await prisma.session.update({ where: session, data: sessionUsage(ctx, now) });
    },
  };
  const { successors } = ctx.deps.tokens;
  const next = await rotate(store, { token, row, now, graceMs, successors });
  if (next === undefined) {
    await prisma.session.update({ where: session, data: { revokedAt: now } });
  }
  return next;
}
