import { PermanentFailure, type Runner } from "../../kernel/jobs/run.ts";
import { wants } from "../../kernel/notification-preferences.ts";
import { verifiesEmail } from "../../platform/config.ts";
import { openMail } from "../../kernel/jobs/mail.ts";
import { codeOf } from "../../platform/error-code.ts";

/** Sends one mail, unless its recipient has switched off mails of its type. */
export const sendMail: Runner = async (deps, payload) => {
  const { config, db, mail: mailer } = deps;
  const mail = openMail(deps, payload);
  if (mail.type !== undefined) {
    const user = await db.reader.user.findUnique({
      where: { email: mail.to },
      select: { notificationSettings: true, emailVerifiedAt: true, disabledAt: true },
    });
    // Who is locked out reads nothing of the workspaces by mail either.
    if (user !== null && user.disabledAt !== null) return;
    // A person who registered another's address must not have notifications mailed there.
    const isUnproved = user !== null && verifiesEmail(config) && user.emailVerifiedAt === null;
    if (isUnproved && mail.type !== "invited") return;
    // Nor may that person switch off the invitations of the address.
    if (user !== null && !isUnproved && !wants(user.notificationSettings, mail.type).mail) return;
  }
  try {
    await mailer.send(mail);
  } catch (error) {
    if (isRejected(error)) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
};

/** Whether the mail server rejects the message or its recipient for good. */
const isRejected = (error: unknown): error is Error =>
  error instanceof Error &&
  /^(?:EENVELOPE|EMESSAGE)$/.test(codeOf(error)) &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;
