import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });
const password = "a password for tests";
const path = "/users/me";

test("user.update changes name and image everywhere, and null clears the image", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const image = "https://example.com/me.png";
  const { body } = await member.rest.put("/users/me", { name: " Ann ", image });
  expect(body).toMatchObject({ name: "Ann", image });
  const shown = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`;
  expect((await workspace.admin.rest.get(shown)).body).toMatchObject({ name: "Ann", image });
  expect(await member.trpc.user.update.mutate({ image: null })).toMatchObject({ image: null });
  expect((await member.rest.put("/users/me", {})).body).toMatchObject({ name: "Ann", image: null });
  for (const wrong of [
    { name: " " },
    { image: "http://example.com/a" },
    { image: "javascript:alert(1)" },
    { email: "a@b.c" },
  ])
    expect((await member.rest.put("/users/me", wrong)).status).toBe(400);
});

test("user.delete leaves shared content without the name, and frees the address", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  await member.rest.put("/users/me", { name: "Remarkable Name" });
  const { body: card } = await member.rest.post("/cards", {
    title: "Theirs",
    listPublicId: board.lists[0],
    memberPublicIds: [member.memberPublicId],
  });
  await member.rest.post(`/cards/${card.publicId}/comments`, { comment: "Mine" });
  const { body: key } = await member.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "k",
  });
  await as(app()).rest.post("/auth/password/reset-request", { email: member.email });

  expect((await member.rest.delete(path)).status).toBe(400);
  // URLs are logged in many systems.
  const received = `${path}?password=${encodeURIComponent(password)}`;
  expect(await member.rest.delete(received)).toMatchObject({
    status: 400,
    body: {
      issues: [
        { message: "Unknown query parameter", path: ["password"], code: "unrecognized_keys" },
      ],
    },
  });
  expect((await member.rest.delete(path, { password: "wrong password" })).status).toBe(403);
  expect((await member.rest.delete(path, { password })).body).toEqual({ success: true });
  for (const token of [member.token, key.key])
    expect((await app().call({ method: "GET", path: "/users/me", token })).status).toBe(401);
  const { refreshToken, email } = member;
  expect((await as(app()).rest.post("/auth/refresh", { refreshToken })).status).toBe(401);
  expect((await as(app()).rest.post("/auth/login", { email, password })).status).toBe(401);

  expect((await admin.rest.get(`/cards/${card.publicId}`)).body).toMatchObject({
    title: "Theirs",
    members: [],
  });
  const { body: comments } = await admin.rest.get(`/cards/${card.publicId}/comments`);
  expect(comments.items).toMatchObject([
    { comment: "Mine", author: null, authorName: "Deleted user" },
  ]);
  const { body: gone } = await admin.rest.get(`/workspaces/${publicId}/members?status=removed`);
  expect(JSON.stringify(gone)).not.toContain(email);
  expect(JSON.stringify(gone)).not.toContain("Remarkable");
  expect(gone.items).toMatchObject([{ name: "Deleted user", email: null, status: "removed" }]);
  expect(await eventsIn(app(), publicId, "member.removed")).toHaveLength(1);

  const again = await as(app()).rest.post("/auth/register", { email, password, name: "Anew" });
  expect(again.status).toBe(200);
  const anew = as(app(), again.body.accessToken);
  expect((await anew.rest.get("/workspaces")).body).toEqual([]);
  expect((await anew.rest.get(`/workspaces/${publicId}`)).status).toBe(403);
  const { body: invite } = await admin.rest.post(`/workspaces/${publicId}/invites`, {});
  const joined = await anew.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
  expect(joined.status).toBe(200);
  expect(joined.body.memberPublicId).not.toBe(member.memberPublicId);
});

test("user.delete is 409 for the last admin, and else removes all personal data", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const other = await makeWorkspace(app());
  const { body: invite } = await other.admin.rest.post(`/workspaces/${other.publicId}/invites`, {});
  await admin.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
  expect((await admin.rest.delete(path, { password })).status).toBe(409);
  expect((await admin.rest.get("/users/me")).status).toBe(200);
  expect((await admin.rest.get(`/workspaces/${other.publicId}`)).status).toBe(200);
  expect(await eventsIn(app(), other.publicId, "member.removed")).toEqual([]);
  await join(app(), workspace, "admin");
  expect(await admin.trpc.user.delete.mutate({ password })).toEqual({ success: true });
  for (const { publicId } of [workspace, other])
    expect(await eventsIn(app(), publicId, "member.removed")).toHaveLength(1);
  const anonymous = await makeUser(app());
  expect((await anonymous.rest.delete(path, { password })).status).toBe(200);
});

test("user.delete publishes that the name of a former member's comments has changed", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const [author, silent] = [
    await join(app(), workspace, "member"),
    await join(app(), workspace, "member"),
  ];
  const { body: card } = await admin.rest.post("/cards", {
    title: "Ours",
    listPublicId: board.lists[0],
  });
  await author.rest.post(`/cards/${card.publicId}/comments`, { comment: "Mine" });
  for (const { memberPublicId } of [author, silent])
    await admin.rest.delete(`/workspaces/${publicId}/members/${memberPublicId}`);
  for (const { rest } of [author, silent])
    expect((await rest.delete(path, { password })).status).toBe(200);
  const events = await eventsIn(app(), publicId, "member.removed");
  const { memberPublicId } = author;
  expect(events.slice(2)).toMatchObject([
    { data: { member: { publicId: memberPublicId, name: "Deleted user", status: "removed" } } },
  ]);
  const versions = events.map(({ data }) => JSON.parse(JSON.stringify(data)).member.version);
  expect(versions[2]).toBeGreaterThan(versions[0]);
});

test("user.delete anonymizes history and notifications in a background job", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  const name = "Unforgettable Name";
  await member.rest.put("/users/me", { name });
  const { body: me } = await admin.rest.get(`/workspaces/${publicId}`);
  const { body: card } = await member.rest.post("/cards", {
    title: "Theirs",
    listPublicId: board.lists[0],
    memberPublicIds: [me.memberPublicId],
  });
  await admin.rest.put(`/cards/${card.publicId}/members/${member.memberPublicId}`);
  const { body: key } = await member.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name,
  });
  await as(app(), String(key.key)).rest.put(`/cards/${card.publicId}`, { title: "By key" });
  await member.rest.post(`/cards/${card.publicId}/comments`, { comment: "Mine" });
  await admin.rest.post(`/cards/${card.publicId}/comments`, { comment: "The admin's" });
  const shown = async () =>
    JSON.stringify([
      (await admin.rest.get(`/boards/${board.publicId}/activities`)).body,
      (await admin.rest.get(`/cards/${card.publicId}/activities`)).body,
      (await admin.rest.get(`/workspaces/${publicId}/audit`)).body,
      (await admin.rest.get("/users/me/notifications")).body,
    ]);
  expect(await shown()).toContain(name);
  const others = JSON.parse(await shown())[0].items.filter(
    ({ actor }: { actor: { name: string } }) => actor.name === "Admin",
  );
  expect((await member.rest.delete("/users/me", { password })).status).toBe(200);
  await runDue(app().deps);
  expect(await shown()).not.toContain(name);
  expect(await shown()).toContain("Deleted user");
  const after = JSON.parse(await shown())[0].items.filter(
    ({ actor }: { actor: { name: string } }) => actor.name === "Admin",
  );
  expect(after).toHaveLength(others.length);
  // The job has no name either.
  const jobs = await app().db.reader.job.findMany({ where: { kind: "anonymizeUser" } });
  for (const job of jobs) expect(job).toMatchObject({ status: "completed", payload: {} });
});
