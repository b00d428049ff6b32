import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeWorkspace, type User } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { all, membersMay, notPermissions, views } from "./vocabulary.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const of = (member: string, where = world.workspace.publicId) =>
  `/workspaces/${where}/members/${member}/permissions`;
const memberOf = async (user: User, workspace: string): Promise<string> =>
  (await user.rest.get(`/workspaces/${workspace}`)).body.memberPublicId;

describe("GET …/members/{memberPublicId}/permissions", () => {
  test("returns exactly the member, role, permissions and overrides", async () => {
    const { admin, member, guest, workspace } = world;
    const own = await memberOf(admin, workspace.publicId);
    for (const [memberPublicId, role, permissions] of [
      [own, "admin", all.toSorted()],
      [member.memberPublicId, "member", membersMay],
      [guest.memberPublicId, "guest", views.toSorted()],
    ] as const) {
      const { status, body } = await admin.rest.get(of(memberPublicId));
      expect(status).toBe(200);
      expect({ ...body, permissions: body.permissions.toSorted() }).toEqual({
        memberPublicId,
        role,
        permissions,
        overrides: [],
      });
    }
  });

  test("returns a revoking override without its permission", async () => {
    const member = await join(app(), world.workspace, "member");
    await world.admin.rest.post(`${of(member.memberPublicId)}/revoke`, { permission: "card:edit" });
    const { body } = await world.guest.rest.get(of(member.memberPublicId));
    expect({ ...body, permissions: body.permissions.toSorted() }).toEqual({
      memberPublicId: member.memberPublicId,
      role: "member",
      permissions: membersMay.filter((right) => right !== "card:edit"),
      overrides: [{ permission: "card:edit", granted: false }],
    });
  });

  test("is 403 for a member without member:view", async () => {
    const guest = await join(app(), world.workspace, "guest");
    await world.admin.rest.post(`${of(guest.memberPublicId)}/revoke`, {
      permission: "member:view",
    });
    const reply = await guest.rest.get(of(guest.memberPublicId));
    expectFailure(reply, "FORBIDDEN", [{ code: "member:view" }]);
  });

  test("is 404 for a member of another workspace, also for callers in both", async () => {
    const other = await makeWorkspace(app(), world.admin);
    const reply = await world.admin.rest.get(of(world.member.memberPublicId, other.publicId));
    expectFailure(reply, "NOT_FOUND", [{}]);
  });
});

describe("POST …/members/{memberPublicId}/permissions/revoke", () => {
  const revoke = (user: User, member: string, permission: unknown, where?: string) =>
    user.rest.post(`${of(member, where)}/revoke`, { permission });

  test("revokes each permission from the next call", async () => {
    const { memberPublicId } = await join(app(), world.workspace, "admin");
    const taken: string[] = [];
    for (const permission of all) {
      taken.push(permission);
      for (const _ of [1, 2]) {
        const { status, body } = await revoke(world.admin, memberPublicId, permission);
        expect({ status, body }).toEqual({ status: 200, body: { success: true } });
      }
      const { body } = await world.admin.rest.get(of(memberPublicId));
      expect(body).toEqual({
        memberPublicId,
        role: "admin",
        permissions: all.filter((right) => !taken.includes(right)),
        overrides: taken.toSorted().map((right) => ({ permission: right, granted: false })),
      });
    }
  });

  test("is effective from the member's next call", async () => {
    const member = await join(app(), world.workspace, "member");
    const list = { name: "Mine", boardPublicId: world.board };
    expect((await member.rest.post("/lists", list)).status).toBe(200);
    await revoke(world.admin, member.memberPublicId, "list:create");
    expectFailure(await member.rest.post("/lists", list), "FORBIDDEN", [{ code: "list:create" }]);
  });

  test("succeeds without a write for a permission that the member lacks", async () => {
    const guest = await join(app(), world.workspace, "guest");
    const { body } = await revoke(world.admin, guest.memberPublicId, "card:edit");
    expect(body).toEqual({ success: true });
    expect((await world.admin.rest.get(of(guest.memberPublicId))).body.overrides).toEqual([]);
  });

  test.each(notPermissions)("rejects %j as a permission", async (permission) => {
    const reply = await revoke(world.admin, world.guest.memberPublicId, permission);
    expectFaults(reply, "permission");
  });

  test("rejects a body without a permission or with other fields", async () => {
    const path = `${of(world.guest.memberPublicId)}/revoke`;
    expectFaults(await world.admin.rest.post(path), "permission");
    const more = { permission: "card:edit", granted: true };
    expectFaults(await world.admin.rest.post(path, more), "granted");
  });

  test("is 409 when the last admin would lose workspace:manage", async () => {
    const { admin, publicId } = await makeWorkspace(app());
    const own = await memberOf(admin, publicId);
    const reply = await revoke(admin, own, "workspace:manage", publicId);
    expectFailure(reply, "CONFLICT", [{}]);
    expect((await admin.rest.get(of(own, publicId))).body.permissions).toEqual(all);
  });

  test("is 403 for a member, and for member:edit on a higher member", async () => {
    const workspace = await makeWorkspace(app());
    const { admin, publicId, roles } = workspace;
    const member = await join(app(), workspace, "member");
    const guest = await join(app(), workspace, "guest");
    const refused = await revoke(member, guest.memberPublicId, "card:view", publicId);
    expectFailure(refused, "FORBIDDEN", [{ code: "member:edit" }]);
    await admin.rest.post(`/workspaces/${publicId}/roles/${roles.member}/permissions/grant`, {
      permission: "member:edit",
    });
    const own = await memberOf(admin, publicId);
    expectFailure(await revoke(member, own, "card:view", publicId), "FORBIDDEN", [{}]);
    const { status } = await revoke(member, guest.memberPublicId, "card:view", publicId);
    expect(status).toBe(200);
  });

  test("is 404 for a member of another workspace, and changes nothing there", async () => {
    const other = await makeWorkspace(app(), world.admin);
    const { memberPublicId } = world.member;
    const reply = await revoke(world.admin, memberPublicId, "card:view", other.publicId);
    expectFailure(reply, "NOT_FOUND", [{}]);
    expect((await world.admin.rest.get(of(memberPublicId))).body.overrides).toEqual([]);
  });
});
