import { afterAll, expect, test } from "vitest";
import { makeTeam, mention } from "../../outbound/notifications/team.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { startSmtp } from "../../support/smtp.ts";

const smtp = await startSmtp();
const app = useApp({
  env: {
    SMTP_URL: smtp.url,
    VERIFY_EMAIL: "false",
    VERIFY_EMAIL_URL: "https://boards.example/verify",
    BASE_URL: "https://boards.example",
  },
  constants: { MAIL_DELAY: 0 },
});
afterAll(() => smtp.close());

const hostile = "https://evil.example www.evil.example evil.example a@evil.example";
const ours = /https:\/\/boards\.example[^\s<"]*/g;

test("only addresses of the service are links in mails, whatever the names of users", async () => {
  const { workspace, ann, ben, board, card } = await makeTeam(app());
  const path = `/workspaces/${workspace.publicId}`;
  await ann.rest.put("/users/me", { name: hostile });
  await ann.rest.put(path, { name: hostile.slice(0, 64).trim() });
  await ann.rest.put(`/boards/${board.publicId}`, { name: hostile });
  await ann.rest.put(`/cards/${card}`, { title: hostile });
  const comment = `${mention(ben)}\n${hostile}\nhttps://evil.example\n`;
  await ann.rest.post(`/cards/${card}/comments`, { comment });
  await ann.rest.post(`${path}/members/invite`, { email: "invited@example.com" });
  await ann.rest.post("/auth/password/reset-request", { email: ann.email });
  await ann.rest.post("/auth/verify-email/resend");
  await ann.rest.post("/auth/api-keys", { name: hostile.slice(0, 64).trim(), permissions: [] });
  await runDue(app().deps);
  app().advance(60_000);
  await runDue(app().deps);

  const subjects = smtp.mails.map(({ headers }) => headers["subject"]?.[0] ?? "");
  expect(subjects.length, subjects.join("\n")).toBeGreaterThanOrEqual(5);
  for (const { text, html, headers } of smtp.mails) {
    const shown = [text, html.replace(/<[^>]*>/g, ""), headers["subject"]?.[0] ?? ""];
    for (const part of shown) {
      const rest = part.replaceAll(ours, "").replace(/v1\.[\w-]+/g, "");
      expect(rest).not.toMatch(/\w:\/\/|www\.\S|\w\.\p{L}{2}/u);
    }
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target = ""]) => target);
    for (const target of targets) expect(target).toMatch(/^https:\/\/boards\.example\//);
  }
});
