import { describe, expect, test } from "vitest";
import {
  eventsIn,
  joinAll,
  removeMember,
  setOverride,
  tally,
} from "../../kernel/access/membership.ts";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

const path = (workspace: Workspace, member: string) =>
  `/workspaces/${workspace.publicId}/members/${member}/permissions`;
const revoke = (caller: As, workspace: Workspace, member: string, permission: string) =>
  caller.rest.post(`${path(workspace, member)}/revoke`, { permission });
const permissionsOf = async (workspace: Workspace, member: string): Promise<string[]> =>
  (await workspace.admin.rest.get(path(workspace, member))).body.permissions;
const ownMember = async (workspace: Workspace): Promise<string> =>
  (await workspace.admin.rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
const managers = async (workspace: Workspace, members: string[]) => {
  const held = await Promise.all(members.map((member) => permissionsOf(workspace, member)));
  return held.filter((ofMember) => ofMember.includes("workspace:manage")).length;
};

describe("permission.revokeFromMember", () => {
  test("revokes a permission of the role from the next call", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const member = await join(app(), workspace, "member");
    expect(await makeCard(member, board.lists[0] ?? "")).toBeTypeOf("string");
    const { status, body } = await revoke(
      workspace.admin,
      workspace,
      member.memberPublicId,
      "card:create",
    );
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    const refused = await member.rest.post("/cards", { title: "No", listPublicId: board.lists[0] });
    expect(refused).toMatchObject({ status: 403, body: { issues: [{ code: "card:create" }] } });
    const { body: shown } = await workspace.admin.rest.get(path(workspace, member.memberPublicId));
    expect(shown.overrides).toEqual([{ permission: "card:create", granted: false }]);
    expect(shown.permissions).not.toContain("card:create");
  });

  test("revokes a granted override", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    await setOverride(app(), guest.memberPublicId, "card:edit", true);
    await revoke(workspace.admin, workspace, guest.memberPublicId, "card:edit");
    expect(await permissionsOf(workspace, guest.memberPublicId)).not.toContain("card:edit");
  });

  test("emits one event with the permissions before and after", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    await revoke(workspace.admin, workspace, guest.memberPublicId, "member:view");
    const events = await eventsIn(app(), workspace.publicId, "member.permissions_changed");
    const before = [
      "workspace:view",
      "board:view",
      "list:view",
      "card:view",
      "comment:view",
      "member:view",
    ];
    expect(events).toMatchObject([
      {
        data: {
          member: { publicId: guest.memberPublicId },
          permission: "member:view",
          granted: false,
        },
        changes: { permissions: { from: before, to: before.slice(0, -1) } },
      },
    ]);
    expect(JSON.stringify(events[0]?.data)).not.toContain(guest.email);
  });

  test("does nothing when the member does not hold it", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    const first = await revoke(workspace.admin, workspace, guest.memberPublicId, "card:delete");
    expect(first).toMatchObject({ status: 200, body: { success: true } });
    const { body } = await workspace.admin.rest.get(path(workspace, guest.memberPublicId));
    expect(body.overrides).toEqual([]);
    expect(await eventsIn(app(), workspace.publicId, "member.permissions_changed")).toEqual([]);
  });

  test("requires a level above the member's", async () => {
    const workspace = await makeWorkspace(app());
    const [caller, equal, below] = await joinAll(app(), workspace, "member", "member", "guest");
    await setOverride(app(), caller.memberPublicId, "member:edit", true);
    const above = await ownMember(workspace);
    expect((await revoke(caller, workspace, above, "card:edit")).status).toBe(403);
    expect((await revoke(caller, workspace, equal.memberPublicId, "card:edit")).status).toBe(403);
    expect((await revoke(caller, workspace, below.memberPublicId, "card:view")).status).toBe(200);
    expect(await permissionsOf(workspace, equal.memberPublicId)).toContain("card:edit");
  });

  test("allows admins on admins, and members with member:edit on themselves", async () => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "admin");
    expect(
      (await revoke(workspace.admin, workspace, other.memberPublicId, "card:edit")).status,
    ).toBe(200);
    expect((await revoke(other, workspace, other.memberPublicId, "card:delete")).status).toBe(200);
    const held = await permissionsOf(workspace, other.memberPublicId);
    expect(held).not.toContain("card:edit");
    expect(held).not.toContain("card:delete");
  });

  test("rejects an unknown permission", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    const { status, body } = await revoke(
      workspace.admin,
      workspace,
      guest.memberPublicId,
      "card:fly",
    );
    expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: ["permission"] });
  });
});

test("a revocation from a removed member writes nothing, and a grant is 409", async () => {
  const workspace = await makeWorkspace(app());
  const { memberPublicId } = await join(app(), workspace, "guest");
  await removeMember(app(), memberPublicId);
  const revoked = await revoke(workspace.admin, workspace, memberPublicId, "card:view");
  expect(revoked).toMatchObject({ status: 200, body: { success: true } });
  const granted = await workspace.admin.rest.post(`${path(workspace, memberPublicId)}/grant`, {
    permission: "card:edit",
  });
  expect(granted).toMatchObject({ status: 409, body: { issues: [{ code: "member_removed" }] } });
  const { body } = await workspace.admin.rest.get(path(workspace, memberPublicId));
  expect(body).toMatchObject({ permissions: [], overrides: [] });
  expect(await eventsIn(app(), workspace.publicId, "member.permissions_changed")).toEqual([]);
});

describe("the last active admin", () => {
  test("cannot lose workspace:manage while no other admin can manage", async () => {
    const workspace = await makeWorkspace(app());
    const me = await ownMember(workspace);
    const [stripped, removed, member] = await joinAll(app(), workspace, "admin", "admin", "member");
    await setOverride(app(), stripped.memberPublicId, "workspace:manage", false);
    await removeMember(app(), removed.memberPublicId);
    for (const caller of [workspace.admin, stripped]) {
      const refused = await revoke(caller, workspace, me, "workspace:manage");
      expect(refused).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    }
    expect(await permissionsOf(workspace, me)).toContain("workspace:manage");
    expect(await eventsIn(app(), workspace.publicId, "member.permissions_changed")).toEqual([]);
    expect(
      (await revoke(workspace.admin, workspace, member.memberPublicId, "workspace:manage")).status,
    ).toBe(200);
  });

  test.each(permissions)("can lose %s only if they can get it back", async (permission) => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "member");
    const me = await ownMember(workspace);
    const { rest } = workspace.admin;
    const { status } = await revoke(workspace.admin, workspace, me, permission);
    const repairing = ["workspace:manage", "member:edit", "member:view"];
    expect(status).toBe(repairing.includes(permission) ? 409 : 200);
    expect((await rest.post(`${path(workspace, me)}/reset`)).status).toBe(200);
    expect(await permissionsOf(workspace, me)).toEqual([...permissions]);
    const home = `/workspaces/${workspace.publicId}/members/${other.memberPublicId}`;
    expect((await rest.put(`${home}/role`, { role: "admin" })).status).toBe(200);
  });

  test("can leave only to an admin who can repair permissions", async () => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "admin");
    await revoke(workspace.admin, workspace, other.memberPublicId, "member:edit");
    const leave = () =>
      workspace.admin.rest.post(`/workspaces/${workspace.publicId}/members/leave`);
    expect((await leave()).status).toBe(409);
    const own = `${path(workspace, other.memberPublicId)}/reset`;
    expect((await other.rest.post(own)).status).toBe(403);
    expect((await workspace.admin.rest.post(own)).status).toBe(200);
    expect((await leave()).status).toBe(200);
  });

  test("may go while the workspace is in the trash: who restores it can repair permissions", async () => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "admin");
    for (const permission of ["member:edit", "member:view", "card:edit"]) {
      await revoke(workspace.admin, workspace, other.memberPublicId, permission);
    }
    const home = `/workspaces/${workspace.publicId}`;
    await workspace.admin.rest.delete(home);
    const password = "a password for tests";
    expect((await workspace.admin.rest.delete("/users/me", { password })).status).toBe(200);
    const restored = await other.rest.post(`${home}/restore`);
    expect(restored.status).toBe(200);
    const held = permissions.filter((one) => one !== "card:edit");
    expect(restored.body.permissions).toEqual(held);
    expect((await other.rest.get(home)).body.permissions).toEqual(held);
    expect((await other.rest.post(`${path(workspace, other.memberPublicId)}/reset`)).status).toBe(
      200,
    );
    expect((await other.rest.get(home)).body.permissions).toEqual([...permissions]);
  });

  test("gets nothing back by a restore while another admin can repair permissions", async () => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "admin");
    await revoke(workspace.admin, workspace, other.memberPublicId, "member:edit");
    const home = `/workspaces/${workspace.publicId}`;
    await workspace.admin.rest.delete(home);
    const restored = await other.rest.post(`${home}/restore`);
    expect(restored.body.permissions).not.toContain("member:edit");
    expect(await eventsIn(app(), workspace.publicId, "member.permissions_changed")).toHaveLength(1);
  });

  test("can lose it as soon as there is another", async () => {
    const workspace = await makeWorkspace(app());
    const other = await join(app(), workspace, "admin");
    const me = await ownMember(workspace);
    expect((await revoke(workspace.admin, workspace, me, "workspace:manage")).status).toBe(200);
    expect((await revoke(other, workspace, other.memberPublicId, "workspace:manage")).status).toBe(
      409,
    );
  });

  test("remains when two admins revoke it from each other concurrently", async () => {
    for (let round = 0; round < 8; round++) {
      const workspace = await makeWorkspace(app());
      const other = await join(app(), workspace, "admin");
      const me = await ownMember(workspace);
      const replies = await Promise.all([
        revoke(workspace.admin, workspace, other.memberPublicId, "workspace:manage"),
        revoke(other, workspace, me, "workspace:manage"),
      ]);
      expect(tally(replies)).toEqual({ 200: 1, 409: 1 });
      expect(await managers(workspace, [me, other.memberPublicId])).toBe(1);
    }
  });

  test("remains when four admins give it up concurrently", async () => {
    const workspace = await makeWorkspace(app());
    const others = await joinAll(app(), workspace, "admin", "admin", "admin");
    const me = await ownMember(workspace);
    const all = [
      { caller: workspace.admin, member: me },
      ...others.map((caller) => ({ caller, member: caller.memberPublicId })),
    ];
    const replies = await Promise.all(
      all.map(({ caller, member }) => revoke(caller, workspace, member, "workspace:manage")),
    );
    expect(tally(replies)).toEqual({ 200: 3, 409: 1 });
    expect(
      await managers(
        workspace,
        all.map(({ member }) => member),
      ),
    ).toBe(1);
  });
});
