import type { Caller } from "../../kernel/access/callers.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest, forbidden } from "../../platform/errors.ts";
import { lockIfPasswordUnchanged, Password, verifyPassword } from "./password.ts";

const hourMs = 60 * 60 * 1000;
/** How many keys of an hour have a mail of their own. */
const maxMails = 10;

type Owner = Context & { caller: Caller; db: DatabaseReader };

/** What shows that the caller owns the account. */
export const OwnerPassword = Password.meta({
  description:
    "Required if the account has a password. If not, the caller must have signed in within the last " +
    "15 minutes.",
  examples: ["correct horse battery staple"],
}).optional();

/** How long after a sign-in an account without a password may do what others do with theirs. */
const recentMs = 15 * 60 * 1000;

/**
 * Checks that the caller may make a lasting way into the account: a verified address and, for one
 * that is not restricted, that the caller is its owner. The returned function checks again and locks
 * the account, in the transaction that makes it.
 */
export async function confirmOwner(
  ctx: Owner,
  { isUnrestricted, password }: { isUnrestricted: boolean; password: string | undefined },
): Promise<(tx: UnitOfWork) => Promise<void>> {
  await requireVerifiedEmail(ctx.deps.config, ctx.db, ctx.caller.userId);
  if (isUnrestricted) return proveOwner(ctx, password);
  const { passwordHash } = await accountOf(ctx);
  return (tx) => lockOwner(tx, ctx, { passwordHash });
}

/**
 * Checks that the caller is who owns the account: by its password or, if it has none, by a sign-in of
 * the last 15 minutes. The returned function checks again and locks the account.
 */
export async function proveOwner(
  ctx: Owner,
  password: string | undefined,
): Promise<(tx: UnitOfWork) => Promise<void>> {
  const { caller, deps } = ctx;
  const { passwordHash } = await accountOf(ctx);
  if (passwordHash !== null) {
    if (password === undefined) {
      throw badRequest("required", "The password of the account is required.", ["password"]);
    }
    const verify = () => verifyPassword(password, passwordHash, ctx);
    if (!(await deps.limits.password(caller.userId, verify))) throw wrong();
  }
  const since = passwordHash === null ? new Date(deps.clock().getTime() - recentMs) : undefined;
  return (tx) => lockOwner(tx, ctx, { passwordHash, since });
}

const accountOf = ({ caller, db }: Owner) =>
  db.user.findUniqueOrThrow({ where: { id: caller.userId }, select: { passwordHash: true } });

/**
 * Locks the account: concurrent calls are serialized, so that the count of keys is exact. Refuses a
 * session that is being revoked, and one that was opened before `since`.
 */
async function lockOwner(
  { query }: UnitOfWork,
  { caller: { userId, sessionId }, credential }: Owner,
  { passwordHash, since }: { passwordHash: string | null; since?: Date | undefined },
) {
  if (!(await lockIfPasswordUnchanged(query, userId, passwordHash))) throw wrong();
  if (sessionId === null) {
    // The issuer's tokens have no session here.
    const claims = "claims" in credential ? credential.claims : undefined;
    return requireSince(new Date((claims?.signedInAt ?? 0) * 1_000), since);
  }
  const [session] = await query<{ createdAt: Date }>(sql`SELECT "createdAt" FROM sessions
    WHERE id = ${sessionId} AND "revokedAt" IS NULL FOR SHARE`);
  if (session === undefined) throw credentialExpired();
  requireSince(session.createdAt, since);
}

function requireSince(signedInAt: Date, since: Date | undefined) {
  if (since === undefined || signedInAt >= since) return;
  throw forbidden(
    "sign_in_again",
    "The account has no password. Sign in again, and repeat this within 15 minutes.",
  );
}

const wrong = () => forbidden("wrong_password", "The password is wrong.");

/** Mails the owner about each of the first keys of an hour, and once about more. */
export async function mailOwner(
  tx: UnitOfWork,
  deps: Deps,
  { userId, email }: Caller,
  { subject, sentence }: { subject: string; sentence: string },
): Promise<void> {
  const since = new Date(tx.now.getTime() - hourMs);
  const recent = await tx.prisma.apiKey.count({ where: { userId, createdAt: { gt: since } } });
  if (recent > maxMails + 1) return;
  const what =
    recent <= maxMails
      ? sentence
      : `More than ${maxMails} API keys were created or apps connected for your account within ` +
        "one hour. Further ones of this hour are not mailed.";
  const text =
    `${what}\n\nIf it was not you, reset your password: this revokes all API keys and ` +
    "disconnects all apps.";
  await queueMail(tx, deps, { to: email, subject, text });
}
