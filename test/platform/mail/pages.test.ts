import { afterAll, expect, test } from "vitest";
import { assign, makeTeam } from "../../outbound/notifications/team.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { startSmtp } from "../../support/smtp.ts";
import { verifyEmail } from "../../support/verify-email.ts";

const smtp = await startSmtp();
const app = useApp({
  env: { SMTP_URL: smtp.url, APP_URL: "https://app.example.com/en/" },
  constants: { MAIL_DELAY: 0 },
});
afterAll(() => smtp.close());

/** The links in the mails to an address. */
const linksTo = (email: string) =>
  smtp.mails
    .filter(({ to }) => to.includes(email))
    .flatMap(({ html }) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link));

test("with APP_URL all mails lead to the frontend's pages", async () => {
  const { workspace, ann, ben, card } = await makeTeam(app());
  const invited = "invited-to-pages@example.com";
  await verifyEmail(app(), ann);
  await ann.rest.post(`/workspaces/${workspace.publicId}/members/invite`, { email: invited });
  await ann.rest.post("/auth/password/reset-request", { email: ann.email });
  await ben.rest.post("/auth/verify-email", { token: await verificationOf(ben.email) });
  await assign(ann, card, ben);
  app().advance(60_000);
  await runDue(app().deps);
  app().advance(60_000);
  await runDue(app().deps);

  expect(linksTo(invited)).toEqual([
    expect.stringMatching(/^https:\/\/app\.example\.com\/en\/invites\/[\w-]+$/),
  ]);
  expect(linksTo(ann.email)).toContainEqual(
    expect.stringMatching(/^https:\/\/app\.example\.com\/en\/reset-password\?token=/),
  );
  expect(linksTo(ben.email)).toContain(`https://app.example.com/en/cards/${card}`);
});

async function verificationOf(email: string): Promise<string> {
  await runDue(app().deps);
  const [link = ""] = linksTo(email);
  expect(link).toMatch(/^https:\/\/app\.example\.com\/en\/verify-email\?token=/);
  return new URL(link).searchParams.get("token") ?? "";
}
