import { Mail } from "../../platform/mail/message.ts";
import { wants } from "../../kernel/notification-preferences.ts";
import { PermanentFailure, type Runner } from "../../kernel/jobs/run.ts";

/** Sends one mail, unless it is of a type that its receiver does not want. */
export const sendMail: Runner = async ({ db, mail: mailer }, payload) => {
  const mail = Mail.parse(payload);
  if (mail.type !== undefined) {
    const user = await db.reader.user.findUnique({
      where: { email: mail.to },
      select: { notificationSettings: true },
    });
    if (user !== null && !wants(user.notificationSettings, mail.type).mail) return;
  }
  try {
    await mailer.send(mail);
  } catch (error) {
    if (refusedForGood(error)) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
};

/** The server knows the mail or its receiver, and wants neither. */
const refusedForGood = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "EENVELOPE" || error.code === "EMESSAGE") &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;
