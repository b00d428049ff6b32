import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeUser, makeWorkspace, type User, type Workspace } from "../../support/make.ts";

const app = useApp();
type Creator = User & { memberPublicId: string };
type Loss = (workspace: Workspace, creator: Creator) => Promise<{ status: number }>;

const path = ({ publicId }: Workspace) => `/workspaces/${publicId}`;
const member = (workspace: Workspace, { memberPublicId }: Creator) =>
  `${path(workspace)}/members/${memberPublicId}`;
const revoke =
  (permission: string): Loss =>
  (workspace, creator) =>
    workspace.admin.rest.post(`${member(workspace, creator)}/permissions/revoke`, { permission });

// Every operation that takes a permission or a rank from the creator of a link.
const changes: [string, Loss][] = [
  ["is removed", (workspace, creator) => workspace.admin.rest.delete(member(workspace, creator))],
  ["leaves", (workspace, creator) => creator.rest.post(`${path(workspace)}/members/leave`)],
  [
    "deletes the account",
    (_, creator) => creator.rest.delete("/users/me", { password: "a password for tests" }),
  ],
  [
    "is demoted",
    (workspace, creator) =>
      workspace.admin.rest.put(`${member(workspace, creator)}/role`, { role: "guest" }),
  ],
  ["loses member:invite", revoke("member:invite")],
  ["loses a permission of the role", revoke("workspace:manage")],
];

test.each(changes)("a link to role admin ends when its creator %s", async (_, lose) => {
  const workspace = await makeWorkspace(app());
  const creator = await join(app(), workspace, "admin");
  const made = await creator.rest.post(`${path(workspace)}/invites`, { role: "admin" });
  const { inviteCode } = made.body;
  const link = `${path(workspace)}/invite`;
  expect((await workspace.admin.rest.get(link)).body).toMatchObject({ inviteCode });

  expect((await lose(workspace, creator)).status).toBe(200);
  expect((await workspace.admin.rest.get(link)).body).toEqual({ isActive: false });
  expect((await as(app()).rest.get(`/invites/${inviteCode}`)).status).toBe(404);
  const user = await makeUser(app());
  expect((await user.rest.post("/invites/accept", { inviteCode })).status).toBe(404);
});

test("a link is shown only to readers who could grant its role", async () => {
  const workspace = await makeWorkspace(app());
  const reader = await join(app(), workspace, "member");
  await workspace.admin.rest.post(`${member(workspace, reader)}/permissions/grant`, {
    permission: "member:invite",
  });
  const link = `${path(workspace)}/invite`;
  const make = (role: string) => workspace.admin.rest.post(`${path(workspace)}/invites`, { role });
  await make("admin");
  expect((await reader.rest.get(link)).body).toEqual({ isActive: false });
  const { body } = await make("guest");
  expect((await reader.rest.get(link)).body).toEqual(body);
});

test("a permission that was granted to an invited member is effective after joining", async () => {
  const workspace = await makeWorkspace(app());
  const user = await makeUser(app());
  const { body: invited } = await workspace.admin.rest.post(`${path(workspace)}/members/invite`, {
    email: user.email,
  });
  const creator = { memberPublicId: invited.publicId } as Creator;
  await workspace.admin.rest.post(`${member(workspace, creator)}/permissions/grant`, {
    permission: "board:edit",
  });
  const { body: link } = await workspace.admin.rest.post(`${path(workspace)}/invites`, {});
  const { inviteCode } = link;
  expect((await user.rest.post("/invites/accept", { inviteCode })).status).toBe(200);
  const mine = await user.rest.get(`${path(workspace)}/permissions/me`);
  expect(mine.body.permissions).toContain("board:edit");
});
