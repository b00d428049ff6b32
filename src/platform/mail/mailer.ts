import { loadOnce } from "../load-once.ts";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { z } from "zod";
import { notificationTypes } from "../../contract/vocabulary/notifications.ts";
import { Email } from "../../contract/vocabulary/email.ts";

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/**
 * A mail. `id` is the same for all attempts. With a `type` the user's preferences apply.
 *
 * `verbatim` holds our own addresses, codes and tokens: of these, web addresses become links.
 */
export const Mail = z.strictObject({
  id: z.string(),
  to: Email,
  subject: z.string().transform((subject) => oneLine(subject).slice(0, 250).toWellFormed()),
  text: z.string(),
  verbatim: z.array(z.string()).default([]),
  type: z.enum(notificationTypes).optional(),
});

export type Mail = z.infer<typeof Mail>;

/** Sends mail. Only workers call it, never a request. */
export type Mailer = {
  send(mail: Mail): Promise<void>;
  /** Signs in to the mail server; throws if it does not let us. */
  verify(): Promise<void>;
};

/** Sends by `SMTP_URL`. Without it mail is logged; its link only outside production. */
export function createMailer(
  { SMTP_URL, MAIL_FROM, NODE_ENV }: Pick<Config, "SMTP_URL" | "MAIL_FROM" | "NODE_ENV">,
  log: Logger,
): Mailer {
  if (SMTP_URL === undefined) {
    return {
      async send({ to, subject, verbatim }) {
        const link = NODE_ENV === "production" ? undefined : linksOf(verbatim)[0];
        log.info({ to, subject, link }, "mail not sent: SMTP_URL is not set");
      },
      async verify() {},
    };
  }
  const connect = loadOnce(async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url: SMTP_URL,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
  const domain = /@([^@\s>]+)>?\s*$/.exec(MAIL_FROM)?.[1] ?? "localhost";
  return {
    async verify() {
      const transport = await connect();
      await transport.verify().finally(() => transport.close());
    },
    async send({ id, to, subject, text, verbatim }) {
      const transport = await connect();
      await transport.sendMail({
        from: MAIL_FROM,
        // An object is always a single address.
        to: { name: "", address: to },
        subject,
        text,
        html: htmlOf(text, linksOf(verbatim)),
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
  };
}

const linksOf = (verbatim: readonly string[]) =>
  verbatim.filter((literal) => /^https?:\/\/\S+$/.test(literal));

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML content and attributes. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "");

/** Converts plain text to HTML. Of its addresses, only `links` become links. */
function htmlOf(text: string, links: readonly string[]): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((lines) => `<p>${withLinks(lines, links).replaceAll("\n", "<br>\n")}</p>`);
  return `<!doctype html>\n<html><body>\n${paragraphs.join("\n")}\n</body></html>\n`;
}

function withLinks(text: string, [link, ...others]: readonly string[]): string {
  if (link === undefined) return escapeHtml(text);
  const parts = text.split(link).map((part) => withLinks(part, others));
  const safe = escapeHtml(link);
  return parts.join(`<a href="${safe}">${safe}</a>`);
}
