import { afterAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import { startSmtp } from "../../support/smtp.ts";
import { openStream } from "../../support/stream.ts";
import { verifyEmail } from "../../support/verify-email.ts";

const smtp = await startSmtp();
const app = useApp({
  isolated: true,
  env: { SMTP_URL: smtp.url, APP_URL: "https://app.example.com" },
  constants: { MAIL_DELAY: 0 },
});
afterAll(() => smtp.close());

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

async function mails() {
  app().advance(60_000);
  await runDue(app().deps);
}

test("an account with an unverified address gets no notification of an invitation", async () => {
  const user = await makeUser(app());
  const { admin, publicId } = await makeWorkspace(app());
  await verifyEmail(app(), admin);
  await mails();
  const [, link = ""] = /href="([^"]*verify[^"]*)"/.exec(mailsTo(user.email)[0]?.html ?? "") ?? [];
  const token = new URL(link).searchParams.get("token") ?? "";
  const preferences = { notifications: { invited: { app: true, mail: false } } };
  expect((await user.rest.put("/users/me/preferences", preferences)).status).toBe(200);
  const stream = await openStream(app(), "/users/me/events/stream", { token: user.token });
  expect((await stream.next())?.event).toBe("ready");

  const invite = { email: user.email, role: "member" };
  await admin.rest.post(`/workspaces/${publicId}/members/invite`, invite);
  await mails();
  // The owner of the address gets the mail, which the account cannot switch off.
  expect(mailsTo(user.email)).toHaveLength(2);
  expect((await user.rest.get("/users/me/notifications")).body.items).toEqual([]);
  const own = await makeWorkspace(app(), user);
  const board = await makeBoard(own);
  await user.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
  // Nothing came before: neither the invitation nor a notification of it.
  expect((await stream.next())?.event).toBe("workspace.joined");
  expect((await stream.next())?.event).toBe("favourite.added");
  await stream.close();

  expect((await user.rest.post("/auth/verify-email", { token })).status).toBe(200);
  expect((await user.rest.get("/users/me/notifications")).body.items).toMatchObject([
    { type: "invited", workspace: { publicId } },
  ]);
  const verified = await openStream(app(), "/users/me/events/stream", { token: user.token });
  expect((await verified.next())?.event).toBe("ready");
  const other = await makeWorkspace(app());
  await verifyEmail(app(), other.admin);
  await other.admin.rest.post(`/workspaces/${other.publicId}/members/invite`, invite);
  const seen = (await verified.take(2)).map(({ event }) => event);
  expect(seen.toSorted()).toEqual(["invitation.received", "notification.created"]);
  await verified.close();
});
