import { expect, test } from "vitest";
import { eventsIn, setOverride } from "../../kernel/access/membership.ts";
import { connection, waiting } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { join, makeUser, makeWorkspace, type Workspace } from "../../support/make.ts";
import { queryOn } from "../../support/rows.ts";
import { deleteRole } from "../../support/faults.ts";

const app = useApp();

const at = (workspace: Workspace, path = "") => `/workspaces/${workspace.publicId}/roles${path}`;
const editor = { name: "editor", hierarchyLevel: 60, permissions: ["card:edit", "card:view"] };

test("a role is created, changed and read, with one event per change", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { status, body } = await admin.rest.post(at(workspace), editor);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { ...editor, permissions: ["card:view", "card:edit"], isSystem: false, version: 1 },
  });
  const path = at(workspace, `/${body.publicId}`);
  const change = { name: "writer", description: "Writes", hierarchyLevel: 70 };
  expect((await admin.rest.put(path, change)).body).toMatchObject({ ...change, version: 2 });
  expect((await admin.rest.put(path, change)).body).toMatchObject({ version: 2 });
  expect((await admin.rest.put(path, { description: null })).body.description).toBeNull();
  for (const _ of [1, 2])
    expect(
      (await admin.rest.post(`${path}/permissions/revoke`, { permission: "card:edit" })).status,
    ).toBe(200);
  const ids = { workspacePublicId: publicId, rolePublicId: body.publicId };
  expect(await admin.trpc.role.permissions.query(ids)).toEqual({
    rolePublicId: body.publicId,
    name: "writer",
    permissions: ["card:view"],
  });
  const types = (await eventsIn(app(), publicId)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("role."))).toEqual([
    "role.created",
    "role.updated",
    "role.updated",
    "role.updated",
  ]);
});

test("a role cannot exceed its creator, and its name is unique", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const add = async (body: object, who = admin) =>
    (await who.rest.post(at(workspace), { ...editor, ...body })).status;
  expect(await add({ name: "guest" })).toBe(409);
  expect(await add({ permissions: ["workspace:manage"] })).toBe(403);
  expect(await add({ hierarchyLevel: 100 })).toBe(400);
  expect(await add({ permissions: ["fly"] })).toBe(400);
  const member = await join(app(), workspace, "member");
  await setOverride(app(), member.memberPublicId, "workspace:manage", true);
  expect(await add({}, member)).toBe(403);
  expect(await add({ hierarchyLevel: 40, permissions: ["member:edit"] }, member)).toBe(403);
  expect(await add({ hierarchyLevel: 40 }, member)).toBe(200);
  const put = async (role: string, body: object) =>
    (await admin.rest.put(at(workspace, `/${role}`), body)).status;
  expect(await put(workspace.roles.guest, { name: "visitor" })).toBe(409);
  expect(await put(workspace.roles.guest, { description: "Looks" })).toBe(200);
  const { body: other } = await admin.rest.post(at(workspace), { ...editor, name: "other" });
  expect(await put(other.publicId, { name: "editor" })).toBe(409);
  const revoke = { permission: "card:view" };
  const path = at(workspace, `/${workspace.roles.admin}/permissions/revoke`);
  expect((await admin.rest.post(path, revoke)).status).toBe(409);
});

test("role.delete moves its members and invites to another role, with an event for each", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { body: role } = await admin.rest.post(at(workspace), editor);
  const [one, two] = [await join(app(), workspace, "guest"), await join(app(), workspace, "guest")];
  for (const { memberPublicId } of [one, two])
    await admin.rest.put(`/workspaces/${publicId}/members/${memberPublicId}/role`, {
      role: "editor",
    });
  await admin.rest.post(`/workspaces/${publicId}/members/invite`, {
    email: "new@example.com",
    role: "editor",
  });
  const remove = async (query: string, id = role.publicId) =>
    (await admin.rest.delete(at(workspace, `/${id}${query}`))).status;
  expect(await remove("")).toBe(400);
  expect(await remove(`?moveMembersTo=${role.publicId}`)).toBe(409);
  expect(await remove(`?moveMembersTo=nosuchrole00`)).toBe(404);
  const { guest, member } = workspace.roles;
  const foreign = await makeWorkspace(app());
  expect(await remove(`?moveMembersTo=${foreign.roles.guest}`)).toBe(404);
  expect(await remove(`?moveMembersTo=${member}`, guest)).toBe(409);
  expect(await remove(`?moveMembersTo=${guest}`)).toBe(200);
  expect(await remove(`?moveMembersTo=${guest}`)).toBe(404);
  const { body } = await admin.rest.get(`/workspaces/${publicId}/members`);
  const roles = body.items.map((item: { role: string }) => item.role);
  expect(roles).toEqual(["admin", "guest", "guest", "guest"]);
  const events = await eventsIn(app(), publicId);
  const at0 = events.findIndex(({ type }) => type === "role.deleted");
  expect(events.slice(at0).map(({ type }) => type)).toEqual([
    "role.deleted",
    ...Array(3).fill("member.role_changed"),
  ]);
});

test("concurrent assignment and deletion of a role stay consistent", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const guest = await join(app(), workspace, "guest");
  for (let nth = 0; nth < 5; nth++) {
    const { body: role } = await admin.rest.post(at(workspace), editor);
    const [given, deleted] = await Promise.all([
      admin.rest.put(`/workspaces/${publicId}/members/${guest.memberPublicId}/role`, {
        rolePublicId: role.publicId,
      }),
      admin.rest.delete(at(workspace, `/${role.publicId}?moveMembersTo=${workspace.roles.guest}`)),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(given.status);
  }
});

test("an invite accepted during the deletion of its role gets the replacement role", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { body: role } = await admin.rest.post(at(workspace), editor);
  const { body: link } = await admin.rest.post(`/workspaces/${publicId}/invites`, {
    role: "editor",
  });
  const newUser = await makeUser(app());
  const deletion = await connection(app());
  await deletion.query("BEGIN");
  await deleteRole(queryOn(deletion), role.publicId, workspace.roles.guest);
  const accepted = newUser.rest.post("/invites/accept", { inviteCode: link.inviteCode });
  await waiting(app());
  await deletion.query("COMMIT");
  const { status, body } = await accepted;
  expect(status).toBe(200);
  const path = `/workspaces/${publicId}/members/${body.memberPublicId}`;
  expect((await admin.rest.get(path)).body.role).toBe("guest");
});
