import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { unauthorized } from "../../platform/errors.ts";
import { text } from "../../contract/vocabulary/fields.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { tokensFor, used, type Held } from "./session.ts";
import { Tokens } from "../../contract/resources/auth.ts";
import { sql } from "../../platform/db/sql.ts";

const graceMs = 10_000;

// Both rows are locked, so that of two calls with one token the second sees what the first did.
const find = (tokenHash: string, now: Date) =>
  sql`SELECT t.id, t."spentAt", s.id AS "sessionId", s."publicId" AS session, u."publicId" AS "user"
  FROM refresh_tokens t
  JOIN sessions s ON s.id = t."sessionId" AND s."revokedAt" IS NULL
  AND s."expiresAt" > ${now}::timestamptz
  JOIN users u ON u.id = s."userId" AND u."deletedAt" IS NULL
  WHERE t."tokenHash" = ${tokenHash} FOR NO KEY UPDATE OF t, s`;
type Row = Held & { id: bigint; spentAt: Date | null; sessionId: bigint };

/** Trades a refresh token for the next one. A token that was spent ends its session: somebody else has had it. Only just spent, it is a retry, and gets what the first try got. */
export const refresh = manualMutation(
  "auth.refresh",
  z.strictObject({ refreshToken: text(1, 255) }),
)
  .meta(
    rest("Auth").post(
      "/auth/refresh",
      "Get new tokens",
      "Trades a refresh token for new tokens. Each can be spent once: a second use ends the session, except within ten seconds of the first, when it is taken for a retry and gets the same tokens.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(Tokens)
  .mutation(async ({ ctx, input: { refreshToken } }) => {
    // Not thrown inside: ending the session must be committed.
    const { held, next } = await ctx.transact(async (tx) => {
      const [row] = await tx.query<Row>(find(fingerprint(refreshToken), tx.now));
      return { held: row, next: row && (await successor(tx, ctx, row, refreshToken)) };
    });
    if (held === undefined) throw unauthorized("The refresh token is no good (any more).");
    if (next !== undefined) return tokensFor(ctx, held, next);
    ctx.deps.log.warn(
      { session: held.session, ip: ctx.requestMetadata.ip },
      "a spent token ended its session",
    );
    throw unauthorized("The refresh token has been used before, so its session was ended.");
  });

async function successor({ prisma, now }: UnitOfWork, ctx: Context, row: Row, spent: string) {
  const [next, ...underPrevious] = ctx.deps.tokens.successors(spent);
  const session = { id: row.sessionId };
  if (row.spentAt === null) {
    await prisma.refreshToken.update({ where: { id: row.id }, data: { spentAt: now } });
    await prisma.refreshToken.create({
      data: { sessionId: session.id, tokenHash: fingerprint(next), createdAt: now },
    });
    await prisma.session.update({ where: session, data: used(ctx, now) });
    return next;
  }
  if (now.getTime() - row.spentAt.getTime() <= graceMs) {
    for (const token of [next, ...underPrevious]) {
      if (await prisma.refreshToken.findUnique({ where: { tokenHash: fingerprint(token) } }))
        return token;
    }
  }
  await prisma.session.update({ where: session, data: { revokedAt: now } });
  return undefined;
}
