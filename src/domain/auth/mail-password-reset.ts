import { randomBytes } from "node:crypto";
import { z } from "zod";
import { activeAccount } from "../../kernel/access/active-account.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { Runner } from "../../kernel/jobs/run.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { passwordResetPage } from "../../platform/frontend-pages.ts";
import { tokenLines } from "./verification.ts";

const resetMs = 60 * 60 * 1000;
/** The number of valid tokens of an account. */
const maxResets = 5;

const Payload = z.strictObject({ email: z.string() });

/** Mails a reset token to an address, if it has an account. */
export const mailPasswordReset: Runner = async (deps, payload) => {
  const { email } = Payload.parse(payload);
  await deps.db.transact(async (prisma, query) => {
    const tx = new UnitOfWork(prisma, query, deps.clock(), []);
    const user = await prisma.user.findUnique({
      where: { email, isService: false, ...activeAccount },
    });
    if (user === null) return;
    // Enough valid tokens are in the owner's mailbox.
    const where = { userId: user.id, usedAt: null, expiresAt: { gt: tx.now } };
    if ((await prisma.passwordReset.count({ where })) >= maxResets) return;
    const { token } = await createReset(tx, user.id);
    await mailReset(tx, deps, email, token);
  });
};

type Tx = Pick<UnitOfWork, "prisma" | "query" | "now">;

/** Creates a token that sets a new password of an account, once, within an hour. */
export async function createReset({ prisma, now }: Tx, userId: bigint) {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + resetMs);
  await prisma.passwordReset.create({
    data: { userId, tokenHash: fingerprint(token), createdAt: now, expiresAt },
  });
  return { token, expiresAt };
}

/** Mails a token that sets a new password. */
export async function mailReset(
  tx: Tx,
  deps: Pick<Deps, "seal" | "config" | "baseUrl">,
  to: string,
  token: string,
): Promise<void> {
  const endpoint = `${deps.baseUrl}/api/v1/auth/password/reset`;
  const page = passwordResetPage(deps.config, token);
  const { lines, verbatim } = tokenLines(page, token, " with the new password", endpoint);
  const mail = { to, subject: "Reset your password", text: mailText(lines), verbatim };
  await queueMail(tx, deps, mail, { signIn: true });
}

const mailText = (instructions: string) =>
  `Someone requested a new password for this account.\n\n${instructions}\n\n` +
  "It works once, within one hour. If it was not you, ignore this mail.";
