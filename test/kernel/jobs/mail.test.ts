import { afterAll, beforeEach, expect, test } from "vitest";
import { queueMail } from "../../../src/kernel/jobs/mail.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { startSmtp } from "../../support/smtp.ts";
import { letter, write } from "./fixtures.ts";
import { insertMailJob } from "../../support/state.ts";

const smtp = await startSmtp();
const app = useApp({ env: { SMTP_URL: smtp.url } });
afterAll(() => smtp.close());
beforeEach(() => void (smtp.mails.length = 0));

const receivers = () => smtp.mails.map(({ to }) => to[0]?.split("@")[0] ?? "");

test("a reset and a verification go before 30 invitations", async () => {
  const { admin, publicId } = await makeWorkspace(app());
  await runDue(app().deps);
  smtp.mails.length = 0;
  await write(app(), async (tx) => {
    for (let count = 0; count < 30; count++) {
      const mail = { to: `bulk-${count}@example.com`, subject: "Invitation", text: "Join" };
      await queueMail(tx, app().deps, mail, { workspaceId: 999_999n });
    }
  });
  app().advance(1_000);
  await admin.rest.post("/auth/password/reset-request", { email: admin.email });
  const late = await makeUser(app());
  await admin.rest.post(`/workspaces/${publicId}/members/invite`, { email: "one@example.com" });
  await runDue(app().deps);
  const order = receivers();
  expect(order).toHaveLength(33);
  const first = [admin.email, late.email].map((email) => email.split("@")[0]);
  expect(order.slice(0, 2).toSorted()).toEqual(first.toSorted());
  // Of the workspaces each has its turn: the late one waits for one mail of the other.
  expect(order.indexOf("one")).toBeLessThanOrEqual(3);
});

test("a mail is sealed while it waits, and a job of an earlier version is still sent", async () => {
  const text = "The code is s3cret";
  await write(app(), (tx) =>
    queueMail(tx, app().deps, { to: "sealed@example.com", subject: "Hello", text }),
  );
  await insertMailJob(app(), letter());
  const stored = await app().db.read(sql`SELECT payload::text FROM jobs WHERE status = 'queued'`);
  expect(JSON.stringify(stored)).not.toMatch(/s3cret|sealed@/);
  await runDue(app().deps);
  expect(receivers().toSorted()).toEqual(["ann", "sealed"]);
});
