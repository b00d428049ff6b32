import { requireEnabled } from "../../kernel/access/active-account.ts";
import type { IdentityClaims } from "../../kernel/access/identity-claims.ts";
import { signUpRefusal } from "../../kernel/access/provision.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { firstRow } from "../../platform/db/query.ts";
import type { Identity, User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, forbidden, notFound } from "../../platform/errors.ts";
import type { Proved } from "./state.ts";

/**
 * The account of whom a provider has proved, locked.
 *
 * A known identity is its account. Else the address decides, if the provider has verified it: without
 * an account it gets one; an account whose address was never verified loses its password and
 * credentials, since another person may have registered it; and 409 asks to sign in to any other
 * account first, and to link the identity there.
 */
export async function accountOf(tx: UnitOfWork, deps: Deps, proved: Proved): Promise<User> {
  const known = await findByIdentity(tx, proved.proof);
  if (known !== undefined) {
    requireEnabled(known);
    return known;
  }
  const { email } = proved.proof;
  if (email === undefined) {
    throw forbidden(
      "address_unverified",
      "The provider vouches for no address of yours. Sign in to your account here, and link it.",
    );
  }
  const existing = await findByAddress(tx, email);
  if (existing === undefined) return createAccount(tx, deps, proved, email);
  requireEnabled(existing);
  // A concurrent call may have made it for the same person since the identity was looked for.
  const made = await findByIdentity(tx, proved.proof);
  if (made !== undefined) return made;
  // Nobody but its owner has the factor, although the address was never verified.
  if (existing.emailVerifiedAt !== null || existing.hasSecondFactor) {
    throw conflict(
      "link_required",
      "Your address has an account here. Sign in to it, and link the provider there.",
    );
  }
  const account = await takeOver(tx, existing);
  await addIdentity(tx, account.id, proved);
  return account;
}

/** How many identities an account has at most. */
export const maxIdentities = 20;

/** Links an identity to a locked account. 409 if it is another's, or the account has too many. */
export async function linkIdentity(
  tx: UnitOfWork,
  userId: bigint,
  proved: Proved,
): Promise<Identity> {
  const { issuer, subject } = proved.proof;
  const known = await tx.prisma.identity.findUnique({
    where: { issuer_subject: { issuer, subject } },
  });
  if (known?.userId === userId) return known;
  const provisioned = await tx.prisma.user.findFirst({ where: { issuer, subject } });
  if (known !== null || (provisioned !== null && provisioned.id !== userId)) {
    throw conflict("identity_taken", "That person of the provider has another account here.");
  }
  if ((await tx.prisma.identity.count({ where: { userId } })) >= maxIdentities) {
    throw conflict(
      "limit_exceeded",
      `An account has at most ${maxIdentities} linked providers. Unlink one first.`,
    );
  }
  return addIdentity(tx, userId, proved);
}

/** Unlinks an identity from an account. 409 for the last way to sign in. */
export async function unlinkIdentity(
  { prisma, query }: UnitOfWork,
  userId: bigint,
  identityPublicId: string,
): Promise<void> {
  // Locked: two calls at once would remove the last two ways.
  const [user] = await query<{ hasOther: boolean }>(sql`SELECT
      (u."passwordHash" IS NOT NULL OR u.issuer IS NOT NULL) AS "hasOther"
    FROM users u WHERE u.id = ${userId} FOR NO KEY UPDATE`);
  const identities = await prisma.identity.findMany({ where: { userId } });
  const identity = identities.find(({ publicId: id }) => id === identityPublicId);
  if (identity === undefined) throw notFound("identity");
  if (identities.length === 1 && user?.hasOther !== true) {
    throw conflict("last_sign_in", "It is the last way to sign in. Set a password first.");
  }
  await prisma.identity.delete({ where: { id: identity.id } });
}

/**
 * The account of an identity, locked, which notes its use. The account that the operator's own
 * issuer (`OIDC_ISSUER`) made for the same subject is its account too.
 */
async function findByIdentity(
  { query, now }: UnitOfWork,
  { issuer, subject, email }: IdentityClaims,
): Promise<User | undefined> {
  // The account before its identities, as all that revokes its credentials locks them.
  await query(sql`SELECT 1 FROM users WHERE id = (SELECT "userId" FROM identities
      WHERE issuer = ${issuer} AND subject = ${subject}) FOR NO KEY UPDATE`);
  const [identity] = await query<User>(sql`WITH used AS (
      UPDATE identities SET "lastUsedAt" = ${now}::timestamptz, email = ${email ?? null}
      WHERE issuer = ${issuer} AND subject = ${subject} RETURNING "userId")
    SELECT u.* FROM users u JOIN used ON used."userId" = u.id WHERE u."deletedAt" IS NULL`);
  if (identity !== undefined) return identity;
  const [provisioned] = await query<User>(sql`SELECT * FROM users
    WHERE issuer = ${issuer} AND subject = ${subject} AND "deletedAt" IS NULL FOR NO KEY UPDATE`);
  return provisioned;
}

/** The account of an address, locked: one that is being deleted frees it. */
async function findByAddress({ query }: UnitOfWork, email: string): Promise<User | undefined> {
  const [row] = await query<User>(
    sql`SELECT * FROM users WHERE email = ${email} FOR NO KEY UPDATE`,
  );
  return row;
}

async function createAccount(
  tx: UnitOfWork,
  { config }: Deps,
  proved: Proved,
  email: string,
): Promise<User> {
  const { name, profile } = proved.proof;
  const refusal = await signUpRefusal(config.SIGN_UP, tx.prisma, email);
  if (refusal !== undefined) throw forbidden("sign_up_refused", refusal);
  const { now } = tx;
  const row = {
    publicId: publicId(),
    email,
    name,
    image: profile.picture ?? null,
    emailVerifiedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const account = firstRow(await insertRows<User>(tx.query, "users", [row], sql`RETURNING *`));
  await addIdentity(tx, account.id, proved);
  return account;
}

/** Gives an account whose address nobody has verified to the one who has. */
async function takeOver(tx: UnitOfWork, { id }: User): Promise<User> {
  const { prisma, query, now } = tx;
  const account = await prisma.user.update({
    where: { id },
    data: { emailVerifiedAt: now, passwordHash: null, version: { increment: 1 }, updatedAt: now },
  });
  await revokeCredentials({ prisma, query }, id, now);
  return account;
}

async function addIdentity(
  { prisma, now }: UnitOfWork,
  userId: bigint,
  { provider, proof: { issuer, subject, email } }: Proved,
): Promise<Identity> {
  const who = { publicId: publicId(), userId, provider, issuer, subject, email: email ?? null };
  return prisma.identity.create({ data: { ...who, createdAt: now, lastUsedAt: now } });
}
