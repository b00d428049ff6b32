import { inOrder } from "../../platform/db/in-order.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { PrismaTransaction } from "../../platform/db/transaction.ts";

/**
 * Revokes everything that gives access to an account: sessions, keys, tickets, connections,
 * and sign-in through providers.
 */
export async function revokeCredentials(
  { prisma, query }: { prisma: PrismaTransaction; query: Query },
  userId: bigint,
  now: Date,
  currentSessionId = 0n,
): Promise<void> {
  const active = { userId, revokedAt: null };
  await prisma.session.updateMany({
    where: { ...active, id: { not: currentSessionId } },
    data: { revokedAt: now },
  });
  await query(sql`UPDATE api_keys SET "revokedAt" = ${now}::timestamptz
    WHERE ${inOrder("api_keys", sql`"userId" = ${userId} AND "revokedAt" IS NULL`)}`);
  await prisma.passwordReset.updateMany({
    where: { userId, usedAt: null },
    data: { usedAt: now },
  });
  await prisma.signInChallenge.deleteMany({ where: { userId } });
  await prisma.streamTicket.deleteMany({ where: { userId } });
  await prisma.oauthState.deleteMany({ where: { userId } });
  await prisma.integration.deleteMany({ where: { userId } });
  await prisma.identity.deleteMany({ where: { userId } });
}
