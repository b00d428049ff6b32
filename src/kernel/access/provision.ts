import type { Logger } from "pino";
import type { Config } from "../../platform/config.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { type Database } from "../../platform/db/database.ts";
import { type PrismaTransaction } from "../../platform/db/transaction.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { unauthorized } from "../../platform/errors.ts";
import type { IdentityClaims } from "./identity-claims.ts";
import { signUpRefusal } from "./sign-up.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * Somebody whom the issuer knows and we do not yet: links them to the account of their address, or makes one. Throws 401 when
 * neither can be. It must not be called inside a transaction.
 */
export async function provisionUser(
  {
    db,
    clock,
    config,
    log,
  }: { db: Database; clock: () => Date; config: Pick<Config, "SIGN_UP">; log: Logger },
  { issuer, subject, email, name }: IdentityClaims,
): Promise<void> {
  try {
    await db.transact(async (prisma, query) => {
      const known = await prisma.user.findFirst({ where: { issuer, subject, deletedAt: null } });
      if (known !== null) return;
      if (email === undefined) {
        throw unauthorized(
          "There is no account of this subject yet, and the token has no verified address to make one with (email, email_verified).",
        );
      }
      const now = clock();
      // Locked, since an account that is being deleted at this moment gives its address up.
      const held = await query(sql`SELECT 1 FROM users WHERE email = ${email} FOR NO KEY UPDATE`);
      const user = held.length === 0 ? null : await prisma.user.findUnique({ where: { email } });
      if (user === null) {
        const refusal = await signUpRefusal(config.SIGN_UP, prisma, email);
        if (refusal !== undefined) throw unauthorized(refusal);
        const data = { publicId: publicId(), email, name, issuer, subject };
        await prisma.user.create({ data: { ...data, createdAt: now, updatedAt: now } });
        return;
      }
      // Another first call has made it since we looked.
      if (user.issuer === issuer && user.subject === subject) return;
      // An address can be given to somebody else at the issuer: who had it first keeps their account.
      if (user.issuer === issuer) {
        throw unauthorized("The address has an account of another subject of this issuer.");
      }
      await hand(prisma, user.id, { issuer, subject }, now);
      log.info({ user: user.publicId }, "an account was linked to the issuer");
    });
  } catch (error) {
    // Two first calls at a time: the other one has made the account.
    if (sqlState(error) !== "23505") throw error;
  }
}

/**
 * Gives an account to whom the issuer has verified the address of. Nobody has verified it before: whoever signed up with it may be
 * somebody else, lying in wait. So all that lets them in ends here.
 */
async function hand(
  prisma: PrismaTransaction,
  id: bigint,
  to: Pick<IdentityClaims, "issuer" | "subject">,
  now: Date,
) {
  const live = { userId: id, revokedAt: null };
  await prisma.user.update({
    where: { id },
    data: { ...to, passwordHash: null, version: { increment: 1 }, updatedAt: now },
  });
  await prisma.session.updateMany({ where: live, data: { revokedAt: now } });
  await prisma.apiKey.updateMany({ where: live, data: { revokedAt: now } });
  await prisma.passwordReset.updateMany({
    where: { userId: id, usedAt: null },
    data: { usedAt: now },
  });
  await prisma.streamTicket.deleteMany({ where: { userId: id } });
  await prisma.oauthState.deleteMany({ where: { userId: id } });
  await prisma.integration.deleteMany({ where: { userId: id } });
}
