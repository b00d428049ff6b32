import { describe, expect, test } from "vitest";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { removeMember, setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
const read = (workspace: Workspace, member: string) =>
  workspace.admin.rest.get(`/workspaces/${workspace.publicId}/members/${member}/permissions`);

describe("permission.ofMember", () => {
  test("returns the role, the effective permissions and the overrides", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    await setOverride(app(), guest.memberPublicId, "card:edit", true);
    await setOverride(app(), guest.memberPublicId, "card:view", false);
    const { status, body } = await read(workspace, guest.memberPublicId);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        memberPublicId: guest.memberPublicId,
        role: "guest",
        permissions: [
          "workspace:view",
          "board:view",
          "list:view",
          "card:edit",
          "comment:view",
          "member:view",
        ],
        overrides: [
          { permission: "card:edit", granted: true },
          { permission: "card:view", granted: false },
        ],
      },
    });
  });

  test("returns all permissions for an admin", async () => {
    const workspace = await makeWorkspace(app());
    const admin = await join(app(), workspace, "admin");
    const { body } = await read(workspace, admin.memberPublicId);
    expect(body).toMatchObject({ role: "admin", permissions, overrides: [] });
  });

  test("returns no permissions for a removed member", async () => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    await removeMember(app(), member.memberPublicId);
    expect((await read(workspace, member.memberPublicId)).body.permissions).toEqual([]);
  });

  test("equals the member's own permission.mine", async () => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    await setOverride(app(), member.memberPublicId, "list:delete", false);
    const { body: theirs } = await member.rest.get(`/workspaces/${workspace.publicId}`);
    const { body } = await read(workspace, member.memberPublicId);
    expect(theirs).toMatchObject({
      role: "member",
      memberPublicId: member.memberPublicId,
      permissions: body.permissions,
    });
  });
});
