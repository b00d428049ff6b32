import { expect, test } from "vitest";
import { eventsIn, joinAll, setOverride, tally } from "../../kernel/access/membership.ts";
import { deadlocks } from "../../property/http.ts";
import { jobsOf } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeUser, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

const at = (workspace: Workspace, path = "") => `/workspaces/${workspace.publicId}/members${path}`;
const invite = (caller: As, workspace: Workspace, body: object) =>
  caller.rest.post(at(workspace, "/invite"), body);
const toRole = (caller: As, workspace: Workspace, member: string, body: object) =>
  caller.rest.put(at(workspace, `/${member}/role`), body);

async function mailedCode(email: string): Promise<string> {
  const jobs = await jobsOf(app());
  const mails = jobs.map(({ payload }) => payload as { to: string; text: string });
  const mail = mails.findLast(({ to }) => to === email);
  return /The invite code is (\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

test("member.invite mails a code for that address only and deactivates the old one", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const user = await makeUser(app(), "Ann");
  const { status, body } = await invite(admin, workspace, { email: user.email, role: "guest" });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { email: user.email, role: "guest", status: "invited", joinedAt: null },
  });
  const old = await mailedCode(user.email);
  const again = await invite(admin, workspace, { email: user.email });
  expect(again.body).toMatchObject({ publicId: body.publicId, role: "member" });
  const code = await mailedCode(user.email);
  const accept = async (who: As, inviteCode: string) =>
    (await who.rest.post("/invites/accept", { inviteCode })).status;
  expect(await accept(user, old)).toBe(404);
  expect(await accept(await makeUser(app()), code)).toBe(404);
  expect((await user.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(403);
  expect(await accept(user, code)).toBe(200);
  expect((await admin.rest.get(at(workspace, `/${body.publicId}`))).body).toMatchObject({
    name: "Ann",
    role: "member",
    status: "active",
  });
  expect((await invite(admin, workspace, { email: user.email.toUpperCase() })).status).toBe(409);
  const events = await eventsIn(app(), workspace.publicId, "member.invited");
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(user.email);
});

test("member.invite cannot exceed the caller's role, nor change a higher invite", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const code = (email: string, body: object = {}) => invite(member, workspace, { email, ...body });
  expect((await code("a@example.com")).status).toBe(403);
  await setOverride(app(), member.memberPublicId, "member:invite", true);
  expect((await code("a@example.com", { role: "admin" })).status).toBe(403);
  expect((await code("a@example.com", { role: "unknown" })).status).toBe(404);
  expect(
    (await code("a@example.com", { role: "guest", rolePublicId: workspace.roles.guest })).status,
  ).toBe(400);
  expect((await code("not an address")).status).toBe(400);
  expect((await code("a@example.com", { role: "guest" })).status).toBe(200);
  await invite(workspace.admin, workspace, { email: "chief@example.com", role: "admin" });
  expect((await code("chief@example.com")).status).toBe(403);
  const foreign = await makeWorkspace(app());
  expect((await code("b@example.com", { rolePublicId: foreign.roles.guest })).status).toBe(404);
  const replies = await Promise.all([1, 2, 3].map(() => code("twice@example.com")));
  expect(tally(replies)).toEqual({ 200: 3 });
});

test("showEmailsToMembers=false hides addresses without member:edit", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const member = await join(app(), workspace, "member");
  const path = at(workspace, `/${member.memberPublicId}`);
  const read = async (who: As) => (await who.rest.get(path)).body.email;
  expect(await read(member)).toBe(member.email);
  await admin.rest.put(`/workspaces/${publicId}`, { showEmailsToMembers: false });
  expect(await read(member)).toBeNull();
  expect(await read(admin)).toBe(member.email);
  const list = await member.rest.get(at(workspace));
  expect(JSON.stringify(list.body)).not.toContain("@");
  const ids = { workspacePublicId: publicId, memberPublicId: "nobody000000" };
  await expect(admin.trpc.member.get.query(ids)).rejects.toMatchObject({
    data: { code: "NOT_FOUND" },
  });
});

test("member.updateRole is effective at once and emits one event per change", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const member = await join(app(), workspace, "guest");
  const add = async () =>
    (await member.rest.post("/cards", { title: "A", listPublicId: board.lists[0] })).status;
  expect(await add()).toBe(403);
  const id = member.memberPublicId;
  expect((await toRole(admin, workspace, id, { role: "member" })).body).toMatchObject({
    success: true,
    publicId: id,
    version: 2,
    role: "member",
  });
  expect(await add()).toBe(200);
  await toRole(admin, workspace, id, { rolePublicId: workspace.roles.member });
  expect(await eventsIn(app(), workspace.publicId, "member.role_changed")).toMatchObject([
    { changes: { role: { from: "guest", to: "member" } } },
  ]);
  expect((await toRole(admin, workspace, id, {})).status).toBe(400);
  expect((await toRole(admin, workspace, id, { role: "boss" })).status).toBe(404);
});

test("a role change cannot exceed the caller's role, nor concern higher members", async () => {
  const workspace = await makeWorkspace(app());
  const [member, guest, other] = await joinAll(app(), workspace, "member", "guest", "member");
  await setOverride(app(), member.memberPublicId, "member:edit", true);
  await setOverride(app(), member.memberPublicId, "member:remove", true);
  const put = async (id: string, role: string) =>
    (await toRole(member, workspace, id, { role })).status;
  expect(await put(guest.memberPublicId, "admin")).toBe(403);
  expect(await put(member.memberPublicId, "admin")).toBe(403);
  expect(await put(other.memberPublicId, "guest")).toBe(403);
  expect((await member.rest.delete(at(workspace, `/${other.memberPublicId}`))).status).toBe(403);
  expect(await put(guest.memberPublicId, "member")).toBe(200);
});

test("a demoted admin loses admin-only permissions, even granted ones", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const second = await join(app(), workspace, "admin");
  const path = at(workspace, `/${second.memberPublicId}/permissions`);
  for (const call of ["revoke", "grant"])
    await admin.rest.post(`${path}/${call}`, { permission: "workspace:manage" });
  await admin.rest.post(`${path}/grant`, { permission: "board:delete" });
  await toRole(admin, workspace, second.memberPublicId, { role: "member" });
  const { body } = await admin.rest.get(path);
  expect(body.permissions).not.toContain("workspace:manage");
});

test("member.remove ends all access, also to own content; a repeat emits nothing", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const member = await join(app(), workspace, "member");
  const { body: board } = await member.rest.post(`/workspaces/${publicId}/boards`, {
    name: "Mine",
  });
  const path = at(workspace, `/${member.memberPublicId}`);
  expect((await admin.rest.delete(path)).body).toEqual({ success: true });
  expect((await admin.rest.delete(path)).body).toEqual({ success: true });
  expect((await member.rest.put(`/boards/${board.publicId}`, { name: "Still" })).status).toBe(403);
  expect((await toRole(admin, workspace, member.memberPublicId, { role: "guest" })).status).toBe(
    409,
  );
  expect(await eventsIn(app(), publicId, "member.removed")).toMatchObject([
    { changes: { status: { from: "active", to: "removed" } } },
  ]);
});

test("the last active admin cannot leave, be removed or be demoted; the last but one can", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { body } = await admin.rest.get(at(workspace));
  const me = body.items[0].publicId;
  const all = async (who: As) => [
    (await who.rest.post(at(workspace, "/leave"))).status,
    (await who.rest.delete(at(workspace, `/${me}`))).status,
    (await toRole(who, workspace, me, { role: "member" })).status,
  ];
  expect(await all(admin)).toEqual([409, 409, 409]);
  await invite(admin, workspace, { email: "other@example.com", role: "admin" });
  expect(await all(admin)).toEqual([409, 409, 409]);
  const second = await join(app(), workspace, "admin");
  expect(await admin.trpc.member.leave.mutate({ workspacePublicId: publicId })).toEqual({
    success: true,
  });
  expect((await admin.rest.get(`/workspaces/${publicId}`)).status).toBe(403);
  expect((await second.rest.post(at(workspace, "/leave"))).status).toBe(409);
});

test("of admins who leave concurrently one remains", async () => {
  const workspace = await makeWorkspace(app());
  const [a, b, c] = await joinAll(app(), workspace, "admin", "admin", "admin");
  const [first] = (await workspace.admin.rest.get(at(workspace))).body.items;
  const replies = await Promise.all([
    workspace.admin.rest.post(at(workspace, "/leave")),
    a.rest.delete(at(workspace, `/${b.memberPublicId}`)),
    b.rest.delete(at(workspace, `/${a.memberPublicId}`)),
    toRole(c, workspace, first.publicId, { role: "guest" }),
    toRole(b, workspace, c.memberPublicId, { role: "guest" }),
    c.rest.post(at(workspace, "/leave")),
    a.rest.delete("/users/me", { password: "a password for tests" }),
  ]);
  for (const { status } of replies) expect([200, 401, 403, 409]).toContain(status);
  const admins = { status: "active", role: { name: "admin" } } as const;
  const left = await app().db.reader.member.count({
    where: { workspace: { publicId: workspace.publicId }, ...admins },
  });
  expect(left).toBeGreaterThanOrEqual(1);
});

test("member.invite respects the mail preference of the user", async () => {
  const workspace = await makeWorkspace(app());
  const user = await makeUser(app());
  await invite(workspace.admin, workspace, { email: user.email });
  const mail = (await jobsOf(app()))
    .map(({ payload }) => payload as { to: string; type: string })
    .find(({ to }) => to === user.email);
  // Mail with a type respects preferences: see test/platform/mail.
  expect(mail?.type).toBe("invited");
});

test("concurrent leave, remove and role change do not deadlock, and an admin remains", async () => {
  const workspace = await makeWorkspace(app());
  const before = await deadlocks(app());
  for (let round = 0; round < 6; round++) {
    const [one, two, three] = await joinAll(app(), workspace, "admin", "admin", "admin");
    const replies = await Promise.all([
      one.rest.post(at(workspace, "/leave")),
      two.rest.delete(at(workspace, `/${one.memberPublicId}`)),
      three.rest.put(at(workspace, `/${one.memberPublicId}/role`), { role: "guest" }),
      two.rest.post(at(workspace, "/leave")),
      three.rest.delete(at(workspace, `/${two.memberPublicId}`)),
      one.rest.put(at(workspace, `/${two.memberPublicId}/role`), { role: "member" }),
      three.rest.post(at(workspace, "/leave")),
    ]);
    for (const { status } of replies) expect([200, 403, 404, 409]).toContain(status);
  }
  expect((await workspace.admin.rest.post(at(workspace, "/leave"))).status).toBe(409);
  expect(await deadlocks(app())).toBe(before);
});

test("a role change with no role or two roles is 400", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const { admin } = workspace;
  for (const caller of [admin, member]) {
    for (const id of [member.memberPublicId, "nobodyatall1"]) {
      const reply = await toRole(caller, workspace, id, {});
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: ["role"] }] } });
      const two = { role: "guest", rolePublicId: "nobodyatall1" };
      expect((await toRole(caller, workspace, id, two)).status).toBe(400);
    }
  }
});
