import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeWorkspace, type Workspace } from "../support/make.ts";
import { insertMembersAndBoards } from "../support/state.ts";
import { findEvents } from "../support/events.ts";

const app = useApp({ isolated: true });

const change = ({ admin, publicId, roles }: Workspace, verb: "grant" | "revoke") =>
  admin.rest.post(`/workspaces/${publicId}/roles/${roles.member}/permissions/${verb}`, {
    permission: "card:view",
  });

test("a role of a thousand members on fifty boards changes, and all of them are named", async () => {
  const workspace = await makeWorkspace(app());
  await insertMembersAndBoards(app(), workspace.publicId, { members: 1_000, boards: 50 });
  expect((await change(workspace, "revoke")).status).toBe(200);
  const events = await findEvents(app(), {
    where: { type: "access.lost", userId: null },
  });
  const named = events.flatMap(({ data }) => (data as Record<string, any>)["memberPublicIds"]);
  expect(named).toHaveLength(1_000 * 50);
  expect(new Set(named).size).toBe(1_000);
  expect((await change(workspace, "grant")).status).toBe(200);
});

test("a change of more members and boards is 409, and changes nothing", async () => {
  const workspace = await makeWorkspace(app());
  await insertMembersAndBoards(app(), workspace.publicId, { members: 2_000, boards: 100 });
  expect(await change(workspace, "revoke")).toMatchObject({
    status: 409,
    body: { issues: [{ code: "limit_exceeded", message: expect.stringContaining("2000") }] },
  });
  const { body } = await workspace.admin.rest.get(
    `/workspaces/${workspace.publicId}/roles/${workspace.roles.member}/permissions`,
  );
  expect(body.permissions).toContain("card:view");
});
