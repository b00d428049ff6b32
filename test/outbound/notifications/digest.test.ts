import { afterAll, expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { makeCard } from "../../support/make.ts";
import { startSmtp } from "../../support/smtp.ts";
import { assign, makeTeam, mention, notificationsOf, watch } from "./team.ts";

const minute = 60_000;

const smtp = await startSmtp();
const ADMIN_KEY = "the key of the operator";
const app = useApp({ env: { SMTP_URL: smtp.url, VERIFY_EMAIL: "false", ADMIN_KEY } });
afterAll(() => smtp.close());

async function start() {
  const team = await makeTeam(app());
  const mailsTo = ({ email }: { email: string }) =>
    smtp.mails.filter(({ to }) => to.includes(email));
  const later = async (ms: number) => {
    app().advance(ms);
    await runDue(app().deps);
  };
  return { mailsTo, later, ...team };
}

test("ten changes make one mail", async () => {
  const { mailsTo, later, ann, ben, cleo, card, board } = await start();
  await watch(ben, card);
  for (let n = 0; n < 9; n++) await ann.rest.put(`/cards/${card}`, { title: `Title ${n}` });
  await later(minute);
  await cleo.rest.put(`/cards/${card}`, { listPublicId: board.lists[1] });
  expect(mailsTo(ben)).toEqual([]);
  await later(minute);
  expect(mailsTo(ben)).toMatchObject([
    { to: [ben.email], headers: { subject: ["10 notifications"] } },
  ]);
  const text = mailsTo(ben)[0]?.text ?? "";
  expect(text.match(/^- A card was changed, by Admin$/gm)).toHaveLength(9);
  expect(text.match(/^- A card was moved, by A member$/gm)).toHaveLength(1);
  expect(text.match(/ Title 8 \(/g)).toHaveLength(1);
  await later(60 * minute);
  expect(mailsTo(ben)).toHaveLength(1);
});

test("a single notification is the subject of the mail", async () => {
  const { mailsTo, later, ann, ben, card, workspace } = await start();
  await ann.rest.post(`/cards/${card}/comments`, {
    comment: `${mention(ben)}\r\nBcc: eve@example.com <b>`,
  });
  await later(2 * minute);
  expect(mailsTo(ben)).toHaveLength(1);
  expect(mailsTo(ben)[0]?.headers["subject"]?.[0]).toContain(
    `${workspace.cardPrefix}-1: Admin mentioned you: “@[`,
  );
  expect(mailsTo(ben)[0]?.headers["bcc"]).toBeUndefined();
  expect(mailsTo(ben)[0]?.html).toContain("Bcc: eve@example. com &lt;b&gt;");
});

test("a notification after a mail waits for the next mail", async () => {
  const { mailsTo, later, ann, ben, card } = await start();
  await watch(ben, card);
  await ann.rest.put(`/cards/${card}`, { title: "One" });
  await later(1.5 * minute);
  expect(mailsTo(ben)).toHaveLength(0);
  await later(0.5 * minute);
  expect(mailsTo(ben)).toHaveLength(1);
  await ann.rest.put(`/cards/${card}`, { title: "Two" });
  await later(1.5 * minute);
  expect(mailsTo(ben)).toHaveLength(1);
  await later(0.5 * minute);
  expect(mailsTo(ben)).toHaveLength(2);
});

test("read notifications are not mailed", async () => {
  const { mailsTo, later, ann, ben, card } = await start();
  await watch(ben, card);
  await ann.rest.put(`/cards/${card}`, { title: "Read" });
  await ben.rest.post("/users/me/notifications/read");
  await later(2 * minute);
  expect(mailsTo(ben)).toEqual([]);
});

test("notifications use only the channels that the user has chosen", async () => {
  const { mailsTo, later, ann, ben, cleo, card, list } = await start();
  await ben.rest.put("/users/me/preferences", { notifications: { assigned: { mail: false } } });
  await cleo.rest.put("/users/me/preferences", { notifications: { assigned: { app: false } } });
  await assign(ann, card, ben);
  await assign(ann, await makeCard(ann, list), cleo);
  await cleo.rest.post("/users/me/notifications/read");
  await later(2 * minute);
  expect(mailsTo(ben)).toEqual([]);
  expect(mailsTo(cleo)).toHaveLength(1);
  expect(await notificationsOf(ben)).toHaveLength(1);
  expect(await notificationsOf(cleo)).toEqual([]);
});

test("a notification that the user can no longer see is not mailed", async () => {
  const { mailsTo, later, ann, ben, card, board } = await start();
  await watch(ben, card);
  await ann.rest.put(`/cards/${card}`, { title: "Secret by now" });
  await ann.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  await later(2 * minute);
  expect(mailsTo(ben)).toEqual([]);
  const unmailed = await app().db.reader.notification.count({
    where: { user: { publicId: ben.publicId }, mailedAt: null },
  });
  expect(unmailed).toBe(0);
});

test("notifications over the limit of a mail are counted", async () => {
  const { mailsTo, later, ann, ben, card } = await start();
  await watch(ben, card);
  for (let n = 0; n < 52; n++) await ann.rest.put(`/cards/${card}`, { title: `${n}` });
  await later(2 * minute);
  expect(mailsTo(ben)[0]?.headers["subject"]).toEqual(["52 notifications"]);
  expect(mailsTo(ben)[0]?.text.match(/^- /gm)).toHaveLength(50);
  expect(mailsTo(ben)[0]?.text).toContain("… and 2 more");
});

test("an invitation is mailed once", async () => {
  const { mailsTo, later, ben } = await start();
  const other = await makeTeam(app());
  await other.ann.rest.post(`/workspaces/${other.workspace.publicId}/members/invite`, {
    email: ben.email,
  });
  await later(2 * minute);
  expect(mailsTo(ben)).toHaveLength(1);
});

test("a mail shows times in the time zone of its reader, else of the workspace", async () => {
  const { mailsTo, later, ann, ben, cleo, card, workspace } = await start();
  await ben.rest.put("/users/me", { timeZone: "Asia/Kolkata" });
  await ann.rest.put(`/workspaces/${workspace.publicId}`, { timeZone: "America/New_York" });
  for (const user of [ben, cleo]) await watch(user, card);
  const dueDate = new Date(app().deps.clock().getTime() + 3_600_000).toISOString();
  await ann.rest.put(`/cards/${card}`, { dueDate });
  await later(5 * minute);
  await later(2 * minute);
  const shown = (timeZone: string) =>
    new Date(dueDate).toLocaleString("sv", { timeZone }).slice(0, 16).replace(" ", " at ");
  const textTo = (user: { email: string }) =>
    mailsTo(user)
      .map(({ text }) => text)
      .join();
  expect(textTo(ben)).toContain(`- Due on ${shown("Asia/Kolkata")} Asia/Kolkata`);
  expect(textTo(cleo)).toContain(`- Due on ${shown("America/New_York")} America/New_York`);
});

test("a disabled account gets no mail, of earlier notifications either", async () => {
  const { mailsTo, later, ann, ben, card } = await start();
  await ann.rest.post(`/cards/${card}/comments`, { comment: mention(ben) });
  const path = `/operator/users/${ben.publicId}`;
  const headers = { "X-Admin-Key": ADMIN_KEY };
  const disabled = await ann.rest.put(path, { isDisabled: true }, { headers });
  expect(disabled.status).toBe(200);
  await ann.rest.post(`/cards/${card}/comments`, { comment: mention(ben) });
  await later(60 * minute);
  expect(mailsTo(ben)).toEqual([]);
});
