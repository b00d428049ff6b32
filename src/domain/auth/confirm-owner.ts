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
import { lockIfPasswordUnchanged, verifyPassword } from "./password.ts";

const hourMs = 60 * 60 * 1000;
/** How many keys of an hour have a mail of their own. */
const maxMails = 10;

type Owner = Context & { caller: Caller; db: DatabaseReader };

/**
 * Checks that the caller may make a lasting way into the account: a verified address and, for one
 * that is not restricted, the password. The returned function checks again and locks the account,
 * in the transaction that makes it.
 */
export async function confirmOwner(
  ctx: Owner,
  { isUnrestricted, password }: { isUnrestricted: boolean; password: string | undefined },
): Promise<(tx: UnitOfWork) => Promise<void>> {
  const { caller, db, deps } = ctx;
  await requireVerifiedEmail(deps.config, db, caller.userId);
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
  if (passwordHash !== null && isUnrestricted) {
    if (password === undefined) {
      throw badRequest("required", "The password of the account is required.", ["password"]);
    }
    const verify = () => verifyPassword(password, passwordHash, ctx);
    if (!(await deps.limits.password(caller.userId, verify))) throw wrong();
  }
  return async (tx) => {
    // The lock serializes concurrent calls, so that the count of keys is exact.
    if (!(await lockIfPasswordUnchanged(tx.query, caller.userId, passwordHash))) throw wrong();
    await checkSession(tx, caller);
  };
}

const wrong = () => forbidden("wrong_password", "The password is wrong.");

/** Refuses a session that is being revoked: it must not create a key. */
async function checkSession({ query }: UnitOfWork, { sessionId }: Caller) {
  if (sessionId === null) return;
  const rows = await query(
    sql`SELECT 1 FROM sessions WHERE id = ${sessionId} AND "revokedAt" IS NULL FOR SHARE`,
  );
  if (rows.length === 0) throw credentialExpired();
}

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
