import { randomBytes } from "node:crypto";
import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import type { Context } from "../../kernel/request/context.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { refreshTokenPrefix } from "../../platform/crypto/tokens.ts";

/** How long a session lives after its last use. */
export const sessionMs = 30 * 24 * 60 * 60 * 1000;

/** Which session a token is for, and whose it is, by public ids. */
export type Held = { session: string; user: string };

/** What a session is known by, and that it has just been used: it ends 30 days from now. */
export const used = ({ userAgent, requestMetadata }: Context, now: Date) => ({
  userAgent: userAgent ?? null,
  ip: requestMetadata.ip,
  lastUsedAt: now,
  expiresAt: new Date(now.getTime() + sessionMs),
});

/** Signs somebody in: a new session, with the first of its refresh tokens. */
export async function openSession(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  ctx: Context,
  user: { id: bigint; publicId: string },
): Promise<{ held: Held; refreshToken: string }> {
  const refreshToken = `${refreshTokenPrefix}${randomBytes(32).toString("base64url")}`;
  const session = await prisma.session.create({
    data: {
      publicId: publicId(),
      userId: user.id,
      createdAt: now,
      ...used(ctx, now),
      refreshTokens: { create: { tokenHash: fingerprint(refreshToken), createdAt: now } },
    },
  });
  return { held: { session: session.publicId, user: user.publicId }, refreshToken };
}

/** What a client is given for a session: a fresh access token, and the refresh token beside it. */
export async function tokensFor({ deps }: Context, { session, user }: Held, refreshToken: string) {
  const { accessToken, expiresAt } = await deps.tokens.issue(session, user, deps.clock());
  return { accessToken, refreshToken, tokenType: "Bearer" as const, expiresAt: iso(expiresAt) };
}
