import { randomBytes } from "node:crypto";
import { z } from "zod";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { Runner } from "../../kernel/jobs/run.ts";
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
    const user = await prisma.user.findUnique({ where: { email, deletedAt: null } });
    if (user === null) return;
    // Enough valid tokens are in the owner's mailbox.
    const where = { userId: user.id, usedAt: null, expiresAt: { gt: tx.now } };
    if ((await prisma.passwordReset.count({ where })) >= maxResets) return;
    const token = randomBytes(32).toString("base64url");
    await prisma.passwordReset.create({
      data: {
        userId: user.id,
        tokenHash: fingerprint(token),
        createdAt: tx.now,
        expiresAt: new Date(tx.now.getTime() + resetMs),
      },
    });
    const endpoint = `${deps.baseUrl}/api/v1/auth/password/reset`;
    const page = passwordResetPage(deps.config, token);
    const { lines, verbatim } = tokenLines(page, token, " with the new password", endpoint);
    await queueMail(
      tx,
      deps,
      { to: email, subject: "Reset your password", text: mailText(lines), verbatim },
      { signIn: true },
    );
  });
};

const mailText = (instructions: string) =>
  `Someone requested a new password for this account.\n\n${instructions}\n\n` +
  "It works once, within one hour. If it was not you, ignore this mail.";
