import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeWorkspace, type User } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { all, notPermissions, views } from "./vocabulary.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const of = (member: string, where: string) => `/workspaces/${where}/members/${member}/permissions`;

describe("POST …/roles/{rolePublicId}/permissions/grant", () => {
  const grant = (user: User, role: string, permission: unknown, where: string) =>
    user.rest.post(`/workspaces/${where}/roles/${role}/permissions/grant`, { permission });
  const adminsOnly = new Set(["workspace:delete", "workspace:manage"]);

  test("grants each permission once, except the two for admins only", async () => {
    const workspace = await makeWorkspace(app());
    const { admin, publicId, roles } = workspace;
    const guest = await join(app(), workspace, "guest");
    for (const permission of all) {
      const reply = await grant(admin, roles.guest, permission, publicId);
      if (adminsOnly.has(permission)) expectFailure(reply, "FORBIDDEN", [{}]);
      else
        expect({ status: reply.status, body: reply.body }).toEqual({
          status: 200,
          body: { success: true },
        });
      expect((await grant(admin, roles.admin, permission, publicId)).body).toEqual({
        success: true,
      });
    }
    const { body } = await admin.rest.get(of(guest.memberPublicId, publicId));
    expect(body.permissions).toEqual(all.filter((right) => !adminsOnly.has(right)));
  });

  test("is effective from the next call of the role's members", async () => {
    const workspace = await makeWorkspace(app());
    const { publicId: boardPublicId } = await makeBoard(workspace);
    const guest = await join(app(), workspace, "guest");
    const list = { name: "Mine", boardPublicId };
    expectFailure(await guest.rest.post("/lists", list), "FORBIDDEN", [{ code: "list:create" }]);
    await grant(workspace.admin, workspace.roles.guest, "list:create", workspace.publicId);
    expect((await guest.rest.post("/lists", list)).status).toBe(200);
  });

  test.each(notPermissions)("rejects %j as a permission", async (permission) => {
    const { admin, workspace } = world;
    const reply = await grant(admin, workspace.roles.guest, permission, workspace.publicId);
    expectFaults(reply, "permission");
  });

  test("is 404 for a role of another workspace, and changes nothing there", async () => {
    const other = await makeWorkspace(app(), world.admin);
    const { admin, workspace } = world;
    const foreign = await grant(admin, workspace.roles.guest, "card:edit", other.publicId);
    expectFailure(foreign, "NOT_FOUND", [{}]);
    const { body } = await admin.rest.get(of(world.guest.memberPublicId, workspace.publicId));
    expect(body.permissions).toEqual(views);
  });
});
