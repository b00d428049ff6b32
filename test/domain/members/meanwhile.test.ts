import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { eventsIn, joinAll } from "../../kernel/access/membership.ts";
import { openLock, waitForLocks } from "../../kernel/events/open-lock.ts";
import { useApp } from "../../support/app.ts";
import type { Reply } from "../../support/app.ts";
import { makeBoard, makeUser, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

/** Runs calls that all wait for the workspace, the first one first. */
async function inTurn({ publicId }: Workspace, calls: (() => Promise<Reply>)[]): Promise<Reply[]> {
  const release = await openLock(app(), "workspaces", publicId);
  const running: Promise<Reply>[] = [];
  for (const call of calls) {
    running.push(call());
    await waitForLocks(app(), running.length);
  }
  await release();
  return Promise.all(running);
}

/** Creates an invite link for the role. */
const newLink = async ({ admin, publicId }: Workspace): Promise<string> =>
  (await admin.rest.post(`/workspaces/${publicId}/invites`, { role: "Reader" })).body.inviteCode;

/** Creates a role whose members may view boards. */
const newRole = async ({ admin, publicId }: Workspace): Promise<string> =>
  (
    await admin.rest.post(`/workspaces/${publicId}/roles`, {
      name: "Reader",
      hierarchyLevel: 10,
      permissions: ["member:view", "board:view", "list:view", "card:view"],
    })
  ).body.publicId;

test("a member who is removed meanwhile is not added to a board", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [other, member] = await joinAll(app(), workspace, "admin", "member");
  const replies = await inTurn(workspace, [
    () => other.rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`),
    () =>
      workspace.admin.rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`, {}),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 404]);
  const rows = await app().db.read(sql`SELECT 1 FROM board_members b
    JOIN members m ON m.id = b."memberId" WHERE m."publicId" = ${member.memberPublicId}`);
  expect(rows).toEqual([]);
});

test("a member who joins while their role loses board:view is named by access.lost", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId: boardPublicId } = await makeBoard(workspace);
  const rolePublicId = await newRole(workspace);
  const inviteCode = await newLink(workspace);
  const user = await makeUser(app());
  const role = `/workspaces/${workspace.publicId}/roles/${rolePublicId}`;
  const [joined, revoked] = await inTurn(workspace, [
    () => user.rest.post("/invites/accept", { inviteCode }),
    () => workspace.admin.rest.post(`${role}/permissions/revoke`, { permission: "board:view" }),
  ]);
  expect([joined?.status, revoked?.status]).toEqual([200, 200]);
  const lost = await eventsIn(app(), workspace.publicId, "access.lost");
  expect(lost.map(({ data }) => data)).toMatchObject([
    { boardPublicId, memberPublicIds: [joined?.body.memberPublicId] },
  ]);
});

test("changes of members, roles and invites at the same moment do not deadlock", async () => {
  const workspace = await makeWorkspace(app());
  const rolePublicId = await newRole(workspace);
  const [one, two] = await joinAll(app(), workspace, "admin", "admin");
  const { admin, publicId } = workspace;
  const members = `/workspaces/${publicId}/members`;
  const role = `/workspaces/${publicId}/roles/${rolePublicId}`;
  for (let round = 0; round < 8; round++) {
    const user = await makeUser(app());
    const inviteCode = await newLink(workspace);
    const { body: invited } = await admin.rest.post(`${members}/invite`, { email: user.email });
    const member = `${members}/${invited.publicId}`;
    const permission = round % 2 === 0 ? "board:view" : "card:view";
    const grant = { workspacePublicId: publicId, rolePublicId, permission };
    const replies = await Promise.all([
      user.rest.post("/invites/accept", { inviteCode }),
      one.rest.put(`${member}/role`, { rolePublicId }),
      two.rest.post(`${role}/permissions/revoke`, { permission }),
      admin.rest.post(`${members}/invite`, { email: user.email, rolePublicId }),
      two.rest.post(`/workspaces/${publicId}/batch`, {
        operations: [{ operation: "role.grant", input: grant }],
      }),
      one.rest.delete(member),
      user.rest.put("/users/me", { name: `Name ${round}` }),
    ]);
    for (const { status } of replies) expect([200, 404, 409]).toContain(status);
  }
});
