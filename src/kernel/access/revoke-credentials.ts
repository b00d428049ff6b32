import type { PrismaTransaction } from "../../platform/db/transaction.ts";

/** Revokes everything that gives access to an account: sessions, keys, tickets, connections. */
export async function revokeCredentials(
  prisma: PrismaTransaction,
  userId: bigint,
  now: Date,
  currentSessionId = 0n,
): Promise<void> {
  const active = { userId, revokedAt: null };
  await prisma.session.updateMany({
    where: { ...active, id: { not: currentSessionId } },
    data: { revokedAt: now },
  });
  await prisma.apiKey.updateMany({ where: active, data: { revokedAt: now } });
  await prisma.passwordReset.updateMany({
    where: { userId, usedAt: null },
    data: { usedAt: now },
  });
  await prisma.streamTicket.deleteMany({ where: { userId } });
  await prisma.oauthState.deleteMany({ where: { userId } });
  await prisma.integration.deleteMany({ where: { userId } });
}
