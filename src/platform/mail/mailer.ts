import { createTransport } from "nodemailer";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { htmlOf } from "./html.ts";
import type { Mail } from "./message.ts";

/** The way out for mail. Only workers send, never a request. */
export type Mailer = { send(mail: Mail): Promise<void> };

/** Sends over `SMTP_URL`; without one the mail is logged, in development with its link. */
export function createMailer(
  { SMTP_URL, MAIL_FROM, NODE_ENV }: Pick<Config, "SMTP_URL" | "MAIL_FROM" | "NODE_ENV">,
  log: Logger,
): Mailer {
  if (SMTP_URL === undefined) {
    return {
      async send({ to, subject, text }) {
        const link = NODE_ENV === "production" ? undefined : /^https?:\/\/\S+$/m.exec(text)?.[0];
        log.info({ to, subject, link }, "no SMTP_URL is set: this mail was not sent");
      },
    };
  }
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^@\s>]+)>?\s*$/.exec(MAIL_FROM)?.[1] ?? "localhost";
  return {
    async send({ id, to, subject, text, html = htmlOf(text) }) {
      await transport.sendMail({
        from: MAIL_FROM,
        // As an object it is one address, whatever stands in it.
        to: { name: "", address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
  };
}
