import type { Logger } from "pino";
import type { Config } from "../../platform/config.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import type { Database, DatabaseReader } from "../../platform/db/database.ts";
import type { PrismaTransaction } from "../../platform/db/transaction.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { invalidToken } from "../../platform/errors.ts";
import { requireEnabled } from "./active-account.ts";
import type { IdentityClaims } from "./identity-claims.ts";
import { revokeCredentials } from "./revoke-credentials.ts";

/**
 * Links an unknown subject of the issuer to the account of its email address, or makes one.
 *
 * Throws 401 when neither is possible. Call it outside transactions.
 */
export async function provisionUser(
  {
    db,
    clock,
    config,
    log,
  }: {
    db: Database;
    clock: () => Date;
    config: Pick<Config, "SIGN_UP" | "OIDC_SIGN_UP">;
    log: Logger;
  },
  { issuer, subject, email, name, profile, mfa }: IdentityClaims,
): Promise<void> {
  try {
    await db.transact(async (prisma, query) => {
      const linked = await prisma.user.findFirst({ where: { issuer, subject, deletedAt: null } });
      if (linked !== null) return requireUsable(linked, mfa);
      if (email === undefined) {
        throw invalidToken(
          "account_refused",
          "This subject has no account yet, and the token has no verified address: `email` must " +
            "be an email address, and `email_verified` true.",
        );
      }
      const now = clock();
      // Locked: an account that is being deleted frees its address.
      const locked = await query(sql`SELECT 1 FROM users WHERE email = ${email} FOR NO KEY UPDATE`);
      const user = locked.length === 0 ? null : await prisma.user.findUnique({ where: { email } });
      if (user === null) {
        const refusal = await signUpRefusal(config.OIDC_SIGN_UP ?? config.SIGN_UP, prisma, email);
        if (refusal !== undefined) throw invalidToken("account_refused", refusal);
        const identity = {
          issuer,
          subject,
          issuerProfile: profile,
          image: profile.picture ?? null,
        };
        const data = { publicId: publicId(), email, name, ...identity, emailVerifiedAt: now };
        await prisma.user.create({ data: { ...data, createdAt: now, updatedAt: now } });
        return;
      }
      requireEnabled(user);
      // A concurrent first call has made it.
      if (user.issuer === issuer && user.subject === subject) return;
      checkClaimable(user, issuer);
      await linkAccount({ prisma, query }, user.id, { issuer, subject }, now);
      log.info({ user: user.publicId }, "an account was linked to the issuer");
    });
  } catch (error) {
    // A concurrent first call has made the account.
    if (sqlState(error) !== "23505") throw error;
  }
}

/** 401 for a disabled account, and for a token of one factor where the account has two. */
function requireUsable(user: Pick<User, "disabledAt" | "hasSecondFactor">, mfa?: true): void {
  requireEnabled(user);
  if (!user.hasSecondFactor || mfa === true) return;
  throw invalidToken(
    "account_refused",
    "The account has a second factor, and the issuer's token does not say that it has asked for " +
      "one: `amr` must have `mfa`. Sign in to the account here instead.",
  );
}

/** 401 for an account that an issuer cannot take over, although it vouches for the address. */
function checkClaimable(user: Pick<User, "issuer" | "hasSecondFactor">, issuer: string): void {
  // An issuer may reassign an address: the account stays with its first subject.
  if (user.issuer === issuer) {
    throw invalidToken(
      "account_refused",
      "The account with this address belongs to another subject of this issuer.",
    );
  }
  // Nobody but its owner has the factor.
  if (user.hasSecondFactor) {
    throw invalidToken(
      "account_refused",
      "The account with this address has a second factor. Its owner signs in here.",
    );
  }
}

/**
 * Links an account to a subject, and revokes its other credentials.
 *
 * The address was not verified at sign-up: another person may have registered it.
 */
async function linkAccount(
  { prisma, query }: { prisma: PrismaTransaction; query: Query },
  id: bigint,
  to: Pick<IdentityClaims, "issuer" | "subject">,
  now: Date,
) {
  await prisma.user.update({
    where: { id },
    data: {
      ...to,
      emailVerifiedAt: now,
      passwordHash: null,
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  await revokeCredentials({ prisma, query }, id, now);
}

/** Why an address may have no new account here, as a sentence; undefined when it may. */
export async function signUpRefusal(
  mode: Config["SIGN_UP"],
  db: Pick<DatabaseReader | PrismaTransaction, "member">,
  email: string,
): Promise<string | undefined> {
  if (mode === "closed") return "Sign-up is closed.";
  if (mode === "open") return undefined;
  const invited = await db.member.count({
    where: { email, status: "invited", workspace: { deletedAt: null } },
  });
  return invited === 0 ? "Sign-up is for those who have been invited." : undefined;
}
