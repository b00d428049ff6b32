import { describe, expect, test } from "vitest";
import { eventsIn, setOverride, setRole, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

const grant = (caller: As, workspace: Workspace, role: string, permission: string) =>
  caller.rest.post(`/workspaces/${workspace.publicId}/roles/${role}/permissions/grant`, {
    permission,
  });

async function roleOf(workspace: Workspace, publicId: string) {
  const { body } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}/roles`);
  return body.find((role: { publicId: string }) => role.publicId === publicId);
}

describe("role.grant", () => {
  test("grants the permission to the role's members from their next call", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const guest = await join(app(), workspace, "guest");
    const add = () => guest.rest.post("/lists", { name: "Mine", boardPublicId: board.publicId });
    expect((await add()).status).toBe(403);
    const { status, body, headers } = await grant(
      workspace.admin,
      workspace,
      workspace.roles.guest,
      "list:create",
    );
    expect({ status, body, etag: headers.get("etag") }).toEqual({
      status: 200,
      body: { success: true },
      etag: '"2"',
    });
    expect((await add()).status).toBe(200);
  });

  test("emits one event with the permissions before and after", async () => {
    const workspace = await makeWorkspace(app());
    const { permissions: from } = await roleOf(workspace, workspace.roles.guest);
    await grant(workspace.admin, workspace, workspace.roles.guest, "member:invite");
    const events = await eventsIn(app(), workspace.publicId, "role.updated");
    const to = [...from, "member:invite"];
    expect(events).toMatchObject([
      {
        data: { role: { publicId: workspace.roles.guest, permissions: to } },
        changes: { permissions: { from, to } },
      },
    ]);
    expect(Object.keys(events[0]?.changes as object)).toEqual(["permissions"]);
  });

  test("does nothing when the role has it", async () => {
    const workspace = await makeWorkspace(app());
    const { status } = await grant(workspace.admin, workspace, workspace.roles.guest, "card:view");
    expect(status).toBe(200);
    expect(await roleOf(workspace, workspace.roles.guest)).toMatchObject({ version: 1 });
    expect(await eventsIn(app(), workspace.publicId, "role.updated")).toEqual([]);
  });

  test("cannot grant a permission that the caller lacks", async () => {
    const workspace = await makeWorkspace(app());
    const admin = await join(app(), workspace, "admin");
    await setOverride(app(), admin.memberPublicId, "member:remove", false);
    const refused = await grant(admin, workspace, workspace.roles.guest, "member:remove");
    expect(refused).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await roleOf(workspace, workspace.roles.guest)).toMatchObject({ version: 1 });
  });

  test("cannot grant a permission that the caller's key lacks", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "manager",
      permissions: ["workspace:manage", "list:create"],
    });
    const grantByKey = (permission: string) =>
      app().call({
        method: "POST",
        path: `/workspaces/${workspace.publicId}/roles/${workspace.roles.guest}/permissions/grant`,
        token: body.key,
        body: { permission },
      });
    expect((await grantByKey("card:create")).status).toBe(403);
    expect((await grantByKey("list:create")).status).toBe(200);
  });

  test.each(["workspace:delete", "workspace:manage"])(
    "cannot grant %s to roles other than admin",
    async (permission) => {
      const workspace = await makeWorkspace(app());
      for (const role of [workspace.roles.member, workspace.roles.guest]) {
        expect((await grant(workspace.admin, workspace, role, permission)).status).toBe(403);
        expect((await roleOf(workspace, role)).permissions).not.toContain(permission);
      }
    },
  );

  test("does not change the system admin role", async () => {
    const workspace = await makeWorkspace(app());
    const before = await roleOf(workspace, workspace.roles.admin);
    for (const permission of before.permissions.slice(0, 6)) {
      await grant(workspace.admin, workspace, workspace.roles.admin, permission);
    }
    expect(await roleOf(workspace, workspace.roles.admin)).toEqual(before);
    expect(before.permissions).toHaveLength(24);
  });

  test("requires a level above the role's", async () => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    await setOverride(app(), member.memberPublicId, "workspace:manage", true);
    expect((await grant(member, workspace, workspace.roles.admin, "card:edit")).status).toBe(403);
    expect((await grant(member, workspace, workspace.roles.member, "card:edit")).status).toBe(403);
    expect((await grant(member, workspace, workspace.roles.guest, "card:edit")).status).toBe(200);
  });

  test("cannot be used on the caller's own role", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    await setOverride(app(), guest.memberPublicId, "workspace:manage", true);
    await setOverride(app(), guest.memberPublicId, "member:remove", true);
    expect((await grant(guest, workspace, workspace.roles.guest, "member:remove")).status).toBe(
      403,
    );
    await setRole(app(), guest.memberPublicId, "member");
    expect((await grant(guest, workspace, workspace.roles.member, "member:remove")).status).toBe(
      403,
    );
  });

  test("applies each of many concurrent grants once", async () => {
    const workspace = await makeWorkspace(app());
    const requested = [
      "card:create",
      "card:edit",
      "card:delete",
      "list:create",
      "list:edit",
      "list:delete",
    ];
    const replies = await Promise.all(
      [...requested, ...requested].map((permission) =>
        grant(workspace.admin, workspace, workspace.roles.guest, permission),
      ),
    );
    expect(tally(replies)).toEqual({ 200: 12 });
    const row = await app().db.reader.role.findUniqueOrThrow({
      where: { publicId: workspace.roles.guest },
    });
    expect(
      row.permissions.filter((permission) => requested.includes(permission)).toSorted(),
    ).toEqual(requested.toSorted());
    expect(await eventsIn(app(), workspace.publicId, "role.updated")).toHaveLength(6);
    expect(row.version).toBe(7);
  });
});
