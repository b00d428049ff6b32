import { pino } from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { createMailer } from "../../../src/platform/mail/mailer.ts";
import { queueMail } from "../../../src/kernel/jobs/mail.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { jobsOf, letter, write } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { startSmtp } from "../../support/smtp.ts";
import { deleteJobs } from "../../support/state.ts";

const smtp = await startSmtp();
const app = useApp({
  env: { SMTP_URL: smtp.url, MAIL_FROM: "Boards <boards@example.com>", VERIFY_EMAIL: "false" },
});
afterAll(() => smtp.close());
afterEach(async () => {
  smtp.mails.length = 0;
  await deleteJobs(app());
});

const hello = { to: "ann@example.com", subject: "Hello", text: "Hello Ann" };
const queue = (mail: Parameters<typeof queueMail>[2] = hello) =>
  write(app(), (tx) => queueMail(tx, app().deps, mail));

test("a mail is sent after commit, as text and as HTML with only its link active", async () => {
  const link = `https://boards.example.com/invites/a?b=1&c="2"`;
  const text = `Ann <script>alert("1")</script> & 'co' invite you\n\n${link}\nSee you`;
  await queue({ ...hello, subject: "Grüße – ✓", text, verbatim: [link] });
  expect(smtp.mails).toEqual([]);
  await runDue(app().deps);
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({ from: "boards@example.com", to: ["ann@example.com"] });
  expect(mail?.headers).toMatchObject({
    from: ["Boards <boards@example.com>"],
    to: ["ann@example.com"],
    subject: ["Grüße – ✓"],
    "auto-submitted": ["auto-generated"],
    "message-id": [expect.stringMatching(/^<[0-9a-z]{12}@example\.com>$/)],
  });
  expect(mail?.text.trim()).toBe(text);
  expect(mail?.html).toContain(
    `<p>Ann &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39; invite you</p>`,
  );
  const address = "https://boards.example.com/invites/a?b=1&amp;c=&quot;2&quot;";
  expect(mail?.html).toContain(`<a href="${address}">${address}</a><br>\nSee you`);
});

test("line breaks in a subject cannot add headers", async () => {
  const subject = "Hi\r\nBcc: eve@example.com\r\n\r\n<b>body</b>\u2028\u0085X: y\n";
  await queue({ ...hello, subject });
  await runDue(app().deps);
  expect(smtp.mails[0]?.to).toEqual(["ann@example.com"]);
  expect(smtp.mails[0]?.headers["bcc"]).toBeUndefined();
  expect(smtp.mails[0]?.headers["subject"]).toEqual(["Hi Bcc: eve@example. com <b>body</b> X: y"]);
});

test.each([
  "ann@example.com, eve@example.com",
  "ann@example.com\r\nBcc: eve@example.com",
  "Ann <a@b.c>",
])("a mail has one recipient: %j is rejected", async (to) => {
  await expect(queue({ ...hello, to })).rejects.toThrow("Must be an email address");
  expect(await jobsOf(app())).toEqual([]);
});

test("a temporary error delays a mail, which is sent with the same Message-ID", async () => {
  smtp.refuse(451);
  await queue();
  await runDue(app().deps);
  expect(smtp.mails).toEqual([]);
  const [job] = await jobsOf(app());
  expect(job).toMatchObject({ status: "queued", payload: { to: "ann@example.com" } });
  const { id } = (job?.payload ?? {}) as { id?: string };
  app().advance(60_000);
  await runDue(app().deps);
  expect(smtp.mails[0]?.headers["message-id"]).toEqual([`<${id}@example.com>`]);
  expect(app().errors).toEqual([]);
});

test("a permanent error ends a mail", async () => {
  smtp.refuse(550);
  await queue();
  await runDue(app().deps);
  expect(await jobsOf(app())).toMatchObject([{ status: "failed", attempts: 1, payload: {} }]);
  expect(app().errors.splice(0)).toHaveLength(1);
});

test("no transaction is open while a mail is being sent", async () => {
  const arrived = smtp.stall();
  await queue();
  const sending = runDue(app().deps);
  await arrived;
  // The end of a read may travel beside the start of the mail.
  const open = () =>
    app().db.read(
      sql`SELECT query FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
    );
  await expect.poll(open).toEqual([]);
  smtp.drop();
  await sending;
});

test("a mail respects the recipient's preference for its type", async () => {
  const email = "ann@example.com";
  const account = { email, password: "a password for tests", name: "Ann" };
  const { body } = await app().call({ method: "POST", path: "/auth/register", body: account });
  await app().call({
    method: "PUT",
    path: "/users/me/preferences",
    token: body.accessToken,
    body: { notifications: { invited: { mail: false } } },
  });
  await queue({ ...hello, type: "invited" });
  await queue({ ...hello, subject: "Of a type", type: "assigned" });
  await queue({ ...hello, subject: "Of no type" });
  await runDue(app().deps);
  expect(smtp.mails.map((mail) => mail.headers["subject"]?.[0])).toEqual([
    "Of a type",
    "Of no type",
  ]);
});

test("without SMTP_URL a mail is logged, with its link only in development", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: "info" },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const mail = {
    ...letter(),
    text: "The secret is s3cret.\n\nhttps://boards.example.com/reset/abc\n",
    verbatim: ["s3cret", "https://boards.example.com/reset/abc"],
  };
  const settings = { SMTP_URL: undefined, MAIL_FROM: "boards@example.com" };
  await createMailer({ ...settings, NODE_ENV: "development" }, log).send(mail);
  await createMailer({ ...settings, NODE_ENV: "production" }, log).send(mail);
  expect(lines).toMatchObject([
    { level: 30, to: mail.to, subject: mail.subject, link: "https://boards.example.com/reset/abc" },
    { level: 30, to: mail.to, subject: mail.subject },
  ]);
  expect(lines[1]).not.toHaveProperty("link");
  expect(JSON.stringify(lines)).not.toContain("s3cret");
});
