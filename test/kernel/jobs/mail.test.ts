import { afterAll, beforeEach, expect, test } from "vitest";
import { queueMail } from "../../../src/kernel/jobs/mail.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { makeUser, makeWorkspace, type User } from "../../support/make.ts";
import { startSmtp } from "../../support/smtp.ts";
import { letter, write } from "./fixtures.ts";
import { deleteJobs, insertMailJob } from "../../support/state.ts";
import { verifyEmail } from "../../support/verify-email.ts";

const smtp = await startSmtp();
const app = useApp({ env: { SMTP_URL: smtp.url } });
afterAll(() => smtp.close());
beforeEach(() => void (smtp.mails.length = 0));

const rowsRead = useRowsRead("jobs");

const receivers = () => smtp.mails.map(({ to }) => to[0]?.split("@")[0] ?? "");

test("mails of a reset and a verification are sent before 30 invitations", async () => {
  const { admin, publicId } = await makeWorkspace(app());
  await verifyEmail(app(), admin);
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

test("invitations to many workspaces of one account have one turn of an account", async () => {
  const { admin: many } = await makeWorkspace(app());
  const { admin: other, publicId } = await makeWorkspace(app());
  for (const user of [many, other]) await verifyEmail(app(), user);
  await runDue(app().deps);
  smtp.mails.length = 0;
  for (let nth = 0; nth < 8; nth++) {
    const home = await makeWorkspace(app(), many);
    const body = { email: `many-${nth}@example.com` };
    await many.rest.post(`/workspaces/${home.publicId}/members/invite`, body);
  }
  app().advance(1_000);
  await other.rest.post(`/workspaces/${publicId}/members/invite`, { email: "alone@example.com" });
  await runDue(app().deps);
  const order = receivers();
  expect(order).toHaveLength(9);
  expect(order.indexOf("alone")).toBeLessThanOrEqual(1);
});

test("many API keys of one account delay no mail of another, and few are mailed", async () => {
  const create = ({ rest }: User) =>
    rest.post("/auth/api-keys", { name: "Key", permissions: ["card:view"] });
  const many = await makeUser(app());
  const { admin: other, publicId } = await makeWorkspace(app());
  for (const user of [many, other]) await verifyEmail(app(), user);
  await runDue(app().deps);
  smtp.mails.length = 0;
  for (let count = 0; count < 15; count++) expect((await create(many)).status).toBe(200);
  await create(other);
  await other.rest.post(`/workspaces/${publicId}/members/invite`, { email: "late@example.com" });
  app().advance(1_000);
  await runDue(app().deps);
  const order = receivers();
  const [first, second] = [many, other].map(({ email }) => email.split("@")[0] ?? "");
  expect(order.filter((name) => name === first)).toHaveLength(11);
  expect(order.slice(0, 3).toSorted()).toEqual([first, second, "late"].toSorted());
  expect(smtp.mails.at(-1)?.text).toContain("More than 10 API keys");
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

test("a mail is queued without a look at the mails to others", async () => {
  const mail = { subject: "Hello", text: "Hello" };
  await write(app(), async (tx) => {
    for (let nth = 0; nth < 300; nth++) {
      await queueMail(tx, app().deps, { ...mail, to: `other-${nth}@example.com` });
    }
  });
  await app().db.write(sql`ANALYZE jobs`);
  const reads = await rowsRead(app(), () =>
    write(app(), (tx) => queueMail(tx, app().deps, { ...mail, to: "reader@example.com" })),
  );
  expect(reads).toHaveLength(1);
  expect(reads[0]?.rows).toBeLessThanOrEqual(1);
  await deleteJobs(app());
});
