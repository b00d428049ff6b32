import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { findEvents } from "../../support/events.ts";
import { join, makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp({ env: { ADMIN_KEY: "the key of the operator" } });

/** A workspace with a board, and a service account that has a key. */
async function start(role = "member") {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const home = `/workspaces/${workspace.publicId}`;
  const { status, body: account } = await admin.rest.post(`${home}/service-accounts`, {
    name: "Deploy bot",
    role,
  });
  expect(status, JSON.stringify(account)).toBe(200);
  const path = `${home}/service-accounts/${account.publicId}`;
  const { body: key } = await admin.rest.post(`${path}/keys`, { name: "Deploys" });
  return { workspace, admin, board, home, account, path, key, bot: as(app(), key.key) };
}

test("a key needs the permissions of the account", async () => {
  const { workspace, path } = await start("admin");
  const other = await join(app(), workspace, "admin");
  const keys = `${path}/keys`;
  expect((await other.rest.post(keys, { name: "Mine" })).status).toBe(200);
  const revoked = await workspace.admin.rest.post(
    `/workspaces/${workspace.publicId}/members/${other.memberPublicId}/permissions/revoke`,
    { permission: "workspace:delete" },
  );
  expect(revoked.status).toBe(200);
  const refused = await other.rest.post(keys, { name: "Mine" });
  expect([refused.status, refused.body.issues[0].code]).toEqual([403, "permission_not_held"]);
});

test("a service account is a member of its own name, with keys of its workspace", async () => {
  const { admin, home, account, bot, board, key } = await start();
  expect(account).toMatchObject({
    name: "Deploy bot",
    isService: true,
    email: null,
    role: "member",
    status: "active",
  });
  const { body: card } = await bot.rest.post("/cards", {
    title: "Released",
    listPublicId: board.lists[0],
  });
  expect(card.title).toBe("Released");
  const [event] = await findEvents(app(), { where: { cardPublicId: card.publicId } });
  expect(event).toMatchObject({ actorType: "apiKey", actorName: "Deploy bot" });
  const { body: claimed } = await bot.rest.post(`/cards/${card.publicId}/claim`);
  expect(claimed.claim.member.publicId).toBe(account.publicId);
  const { body: listed } = await admin.rest.get(`${home}/service-accounts`);
  expect(listed.items).toHaveLength(1);
  const { body: keys } = await admin.rest.get(`${home}/service-accounts/${account.publicId}/keys`);
  expect(keys).toMatchObject([{ name: "Deploys", workspacePublicId: key.workspacePublicId }]);
  expect(JSON.stringify(keys)).not.toContain(key.key);
});

test("its key does nothing outside the workspace, and makes no keys", async () => {
  const { bot, path, home } = await start("admin");
  expect((await bot.rest.post("/workspaces", { name: "Own" })).status).toBe(403);
  const other = await makeWorkspace(app());
  expect((await bot.rest.get(`/workspaces/${other.publicId}`)).status).toBe(403);
  for (const call of [
    () => bot.rest.post(`${path}/keys`, { name: "More" }),
    () => bot.rest.get(`${path}/keys`),
    () => bot.rest.post("/auth/api-keys", { name: "More" }),
  ]) {
    const { status, body } = await call();
    expect([status, body.issues[0].code]).toEqual([403, "user_required"]);
  }
  // It is an admin: it may make another account, which has no key.
  expect((await bot.rest.post(`${home}/service-accounts`, { name: "Other" })).status).toBe(200);
});

test("nobody signs in to it, resets its password or gets its mail", async () => {
  const { account } = await start();
  const { user } = await app().db.reader.member.findUniqueOrThrow({
    where: { publicId: account.publicId },
    include: { user: true },
  });
  const email = user?.email ?? "";
  const login = await app().call({
    method: "POST",
    path: "/auth/login",
    body: { email, password: "correct horse battery" },
  });
  expect(login.status).toBe(401);
  await app().call({ method: "POST", path: "/auth/password/reset-request", body: { email } });
  await runDue(app().deps);
  expect(await mailsTo(app(), email)).toEqual([]);
  const reset = await app().call({
    method: "POST",
    path: `/operator/users/${user?.publicId}/password-reset`,
    body: {},
    headers: { "X-Admin-Key": "the key of the operator" },
  });
  expect([reset.status, reset.body.issues[0].code]).toEqual([409, "service_account"]);
});

test("it is renamed, gets another role, and loses its keys with its membership", async () => {
  const { admin, home, account, path, bot, key } = await start();
  const { body: renamed } = await admin.rest.put(path, { name: "Release bot" });
  expect(renamed).toMatchObject({ publicId: account.publicId, name: "Release bot" });
  const role = await admin.rest.put(`${home}/members/${account.publicId}/role`, { role: "guest" });
  expect(role.body).toMatchObject({ role: "guest", isService: true });
  const { body: second } = await admin.rest.post(`${path}/keys`, { name: "Second" });
  expect((await admin.rest.delete(`${path}/keys/${second.publicId}`)).status).toBe(200);
  expect((await as(app(), second.key).rest.get(home)).status).toBe(401);
  expect((await bot.rest.get(home)).status).toBe(200);
  expect((await admin.rest.delete(path)).status).toBe(200);
  expect((await as(app(), key.key).rest.get(home)).status).toBe(401);
  const { body: removed } = await admin.rest.get(`${home}/members?status=removed`);
  expect(removed.items).toMatchObject([{ name: "Release bot", isService: true, email: null }]);
  expect((await admin.rest.post(`${path}/keys`, { name: "Late" })).status).toBe(404);
});

test("it ends with `member.remove` too, and is no admin who could be the last", async () => {
  const { admin, home, account, bot } = await start("admin");
  const left = await admin.rest.post(`${home}/members/leave`);
  expect([left.status, left.body.issues[0].code]).toEqual([409, "last_admin"]);
  expect((await admin.rest.delete(`${home}/members/${account.publicId}`)).status).toBe(200);
  expect((await bot.rest.get(home)).status).toBe(401);
});

test("only service accounts have these operations, and only for admins", async () => {
  const { workspace, admin, home, path } = await start();
  const member = await join(app(), workspace, "member");
  const person = `${home}/service-accounts/${member.memberPublicId}`;
  expect((await admin.rest.put(person, { name: "x" })).status).toBe(404);
  expect((await admin.rest.get(`${person}/keys`)).status).toBe(404);
  expect((await admin.rest.post(`${person}/keys`, { name: "x" })).status).toBe(404);
  expect((await admin.rest.delete(person)).status).toBe(404);
  for (const call of [
    member.rest.put(path, { name: "x" }),
    member.rest.post(`${path}/keys`, { name: "x" }),
    member.rest.post(`${home}/service-accounts`, { name: "x" }),
  ]) {
    expect((await call).status).toBe(403);
  }
  expect((await member.rest.get(`${home}/service-accounts`)).status).toBe(200);
  const stranger = await makeUser(app());
  expect((await stranger.rest.get(`${home}/service-accounts`)).status).toBe(403);
});

test("a key may be read-only, bound to a board, and end; a past end is refused", async () => {
  const { admin, path, board, home } = await start();
  const past = await admin.rest.post(`${path}/keys`, {
    name: "x",
    expiresAt: "2020-01-01T00:00:00.000Z",
  });
  expect([past.status, past.body.issues[0].code]).toEqual([400, "not_in_future"]);
  const { body: key } = await admin.rest.post(`${path}/keys`, {
    name: "Reader",
    readOnly: true,
    boardPublicId: board.publicId,
  });
  const reader = as(app(), key.key);
  expect((await reader.rest.get(`/boards/${board.publicId}`)).status).toBe(200);
  const write = await reader.rest.post(`${home}/boards`, { name: "x" });
  expect(write.status).toBe(403);
  const other = await makeWorkspace(app());
  const elsewhere = await makeBoard(other);
  const foreign = await admin.rest.post(`${path}/keys`, {
    name: "x",
    boardPublicId: elsewhere.publicId,
  });
  expect(foreign.status).toBe(404);
});
