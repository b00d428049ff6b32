import { expect, test } from "vitest";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { policy } from "../../../src/contract/policy.ts";
import { eventsIn, setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("permission.mine returns the permissions of the current credential", async () => {
  const workspace = await makeWorkspace(app());
  const path = `/workspaces/${workspace.publicId}/permissions/me`;
  const guest = await join(app(), workspace, "guest");
  await setOverride(app(), guest.memberPublicId, "card:edit", true);
  const { body } = await guest.rest.get(path);
  expect(body.role).toBe("guest");
  expect(body.permissions).toContain("card:edit");
  const ids = { workspacePublicId: workspace.publicId };
  expect(await guest.trpc.permission.mine.query(ids)).toEqual(body);
  const key = await workspace.admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "k",
    permissions: ["card:view"],
  });
  const bound = await app().call({ method: "GET", path, token: key.body.key });
  expect(bound.body).toEqual({ role: "admin", permissions: ["card:view"] });
  expect((await (await makeUser(app())).rest.get(path)).status).toBe(403);
});

test("permission.grantToMember is effective at once, emits once, and rejects self and higher members", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const guest = await join(app(), workspace, "guest");
  const member = await join(app(), workspace, "member");
  const grant = async (who: typeof admin, id: string, permission: string) =>
    (await who.rest.post(`/workspaces/${publicId}/members/${id}/permissions/grant`, { permission }))
      .status;
  const id = guest.memberPublicId;
  expect(await grant(admin, id, "board:create")).toBe(200);
  expect(await grant(admin, id, "board:create")).toBe(200);
  const made = await guest.rest.post(`/workspaces/${publicId}/boards`, { name: "Mine" });
  expect(made.status).toBe(200);
  const events = await eventsIn(app(), publicId, "member.permissions_changed");
  expect(events).toMatchObject([{ data: { permission: "board:create", granted: true } }]);
  expect(await grant(admin, id, "workspace:manage")).toBe(403);
  expect(await grant(admin, id, "everything")).toBe(400);
  await setOverride(app(), member.memberPublicId, "member:edit", true);
  expect(await grant(member, member.memberPublicId, "card:delete")).toBe(403);
  expect(await grant(member, id, "workspace:edit")).toBe(403);
  expect(await grant(member, id, "card:edit")).toBe(200);
});

test("permission.resetMember restores the role's permissions that the caller holds", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const guest = await join(app(), workspace, "guest");
  const member = await join(app(), workspace, "member");
  const path = `/workspaces/${publicId}/members/${guest.memberPublicId}/permissions`;
  await setOverride(app(), guest.memberPublicId, "card:view", false);
  await setOverride(app(), guest.memberPublicId, "card:edit", true);
  await setOverride(app(), member.memberPublicId, "member:edit", true);
  await setOverride(app(), member.memberPublicId, "card:view", false);
  expect((await member.rest.post(`${path}/reset`)).status).toBe(403);
  expect((await admin.rest.post(`${path}/reset`)).body).toMatchObject({
    success: true,
    overrides: [],
  });
  const ids = { workspacePublicId: publicId, memberPublicId: guest.memberPublicId };
  expect(await admin.trpc.permission.resetMember.mutate(ids)).toMatchObject({
    success: true,
    version: 2,
  });
  const { body } = await admin.rest.get(path);
  expect(body.overrides).toEqual([]);
  expect(body.permissions).toContain("card:view");
  expect(await eventsIn(app(), publicId, "member.permissions_changed")).toHaveLength(1);
  const own = `/workspaces/${publicId}/members/${member.memberPublicId}/permissions/reset`;
  expect((await member.rest.post(own)).status).toBe(403);
});

test("permission.vocabulary returns every permission, role and operation of the policy", async () => {
  const { status, body } = await as(app()).rest.get("/permissions");
  expect(status).toBe(200);
  expect(body.permissions).toEqual([...permissions]);
  expect(body.roles.map(({ name }: { name: string }) => name)).toEqual([
    "admin",
    "member",
    "guest",
  ]);
  const names = body.operations.map(({ name }: { name: string }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(Object.keys(policy)).toContain(name);
  expect(body.operations).toContainEqual({
    name: "card.delete",
    method: "DELETE",
    path: "/cards/{cardPublicId}",
    needs: "card:delete",
    orCreator: true,
    views: [],
  });
});
