import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";

const app = useApp();

const viewing = [
  "workspace:view",
  "board:view",
  "list:view",
  "card:view",
  "comment:view",
  "member:view",
];
const everything = [
  ["workspace", "view edit delete manage"],
  ["board", "view create edit delete"],
  ["list", "view create edit delete"],
  ["card", "view create edit delete"],
  ["comment", "view create edit delete"],
  ["member", "view invite edit remove"],
].flatMap(([kind, verbs = ""]) => verbs.split(" ").map((verb) => `${kind}:${verb}`));

describe("role.list", () => {
  test("returns the three system roles with their permissions, highest first", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    const { status, body } = await guest.rest.get(`/workspaces/${workspace.publicId}/roles`);
    expect(status).toBe(200);
    const role = (name: string, hierarchyLevel: number, permissions: string[]) => ({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      name,
      description: expect.any(String),
      hierarchyLevel,
      isSystem: true,
      permissions,
      version: 1,
    });
    const ofMembers = everything.filter(
      (one) =>
        viewing.includes(one) ||
        /^(list|card):/.test(one) ||
        ["board:create", "comment:create"].includes(one),
    );
    expect(body).toEqual([
      role("admin", 100, everything),
      role("member", 50, ofMembers),
      role("guest", 10, viewing),
    ]);
  });

  test("excludes roles of other workspaces", async () => {
    const [one, other] = [await makeWorkspace(app()), await makeWorkspace(app())];
    const { body } = await one.admin.rest.get(`/workspaces/${one.publicId}/roles`);
    const ids = body.map((role: { publicId: string }) => role.publicId);
    for (const id of Object.values(other.roles)) expect(ids).not.toContain(id);
  });
});
