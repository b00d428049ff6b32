import { describe, expect, test } from "vitest";
import { eventsIn, joinAll, removeMember, setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

async function restricted(workspace: Workspace) {
  const board = await makeBoard(workspace);
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  return board;
}

async function membersOf(user: As, board: string): Promise<string[]> {
  const { status, body } = await user.rest.get(`/boards/${board}/members`);
  expect(status).toBe(200);
  return body.items.map(({ publicId }: { publicId: string }) => publicId);
}

describe("board.members", () => {
  test("are those who can see the board: on a restricted one its members and the managers", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const board = await makeBoard(workspace);
    const [on, off, blind, gone] = await joinAll(
      app(),
      workspace,
      "guest",
      "member",
      "member",
      "member",
    );
    const me = (await admin.rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
    await setOverride(app(), blind.memberPublicId, "board:view", false);
    await removeMember(app(), gone.memberPublicId);
    expect(await membersOf(admin, board.publicId)).toEqual([
      me,
      on.memberPublicId,
      off.memberPublicId,
    ]);
    for (const { memberPublicId } of [on, blind])
      await admin.rest.put(`/boards/${board.publicId}/members/${memberPublicId}`);
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    expect(await membersOf(admin, board.publicId)).toEqual([me, on.memberPublicId]);
    await setOverride(app(), off.memberPublicId, "workspace:manage", true);
    expect(await membersOf(admin, board.publicId)).toEqual([
      me,
      on.memberPublicId,
      off.memberPublicId,
    ]);
  });

  test("page by page, with addresses only for those who may see them", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const [guest] = await joinAll(app(), workspace, "guest", "guest", "guest");
    const read = (user: As, query = "") =>
      user.rest.get(`/boards/${board.publicId}/members?${query}`);
    const first = (await read(guest, "limit=2")).body;
    const second = (await read(guest, `limit=2&cursor=${encodeURIComponent(first.nextCursor)}`))
      .body;
    expect([...first.items, ...second.items]).toEqual((await read(guest)).body.items);
    expect(second.nextCursor).toBeNull();
    expect(first.items[0].email).toBe(workspace.admin.email);
    await workspace.admin.rest.put(`/workspaces/${workspace.publicId}`, {
      showEmailsToMembers: false,
    });
    expect(JSON.stringify((await read(guest)).body)).not.toContain("@");
    expect(JSON.stringify((await read(workspace.admin)).body)).toContain(guest.email);
  });
});

describe("board.addMember and board.removeMember", () => {
  test("show a restricted board to a member, and hide it again, each with one event", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await restricted(workspace);
    const member = await join(app(), workspace, "member");
    const path = `/boards/${board.publicId}/members/${member.memberPublicId}`;
    const sees = async () => (await member.rest.get(`/boards/${board.publicId}`)).status;
    expect(await sees()).toBe(403);
    const added = { success: true, memberPublicId: member.memberPublicId };
    for (let n = 0; n < 2; n++) expect((await rest.put(path)).body).toMatchObject(added);
    expect(await sees()).toBe(200);
    for (let n = 0; n < 2; n++) expect((await rest.delete(path)).body).toEqual({ success: true });
    expect(await sees()).toBe(403);
    const events = (await eventsIn(app(), workspace.publicId)).filter(({ type }) =>
      type.startsWith("board.member"),
    );
    expect(events.map(({ type }) => type)).toEqual(["board.member_added", "board.member_removed"]);
    expect(events[0]?.data).toMatchObject({
      board: { publicId: board.publicId },
      member: { publicId: member.memberPublicId, name: "A member" },
    });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(member.email);
  });

  test("leave a removed member assigned to cards, hidden until the member joins again", async () => {
    const workspace = await makeWorkspace(app());
    const board = await restricted(workspace);
    const member = await join(app(), workspace, "member");
    const path = `/boards/${board.publicId}/members/${member.memberPublicId}`;
    await workspace.admin.rest.put(path);
    const card = {
      title: "Theirs",
      listPublicId: board.lists[0],
      memberPublicIds: [member.memberPublicId],
    };
    const { body } = await workspace.admin.rest.post("/cards", card);
    await workspace.admin.rest.delete(path);
    expect((await member.rest.get(`/cards/${body.publicId}`)).status).toBe(403);
    await workspace.admin.rest.put(path);
    expect((await member.rest.get(`/cards/${body.publicId}`)).body.members).toMatchObject([
      { publicId: member.memberPublicId },
    ]);
  });

  test("find no member of another workspace, and add no removed member", async () => {
    const workspace = await makeWorkspace(app());
    const board = await restricted(workspace);
    const other = await makeWorkspace(app());
    const stranger = await join(app(), other, "member");
    const gone = await join(app(), workspace, "member");
    await workspace.admin.rest.put(`/boards/${board.publicId}/members/${gone.memberPublicId}`);
    await removeMember(app(), gone.memberPublicId);
    const { rest } = workspace.admin;
    for (const id of [stranger.memberPublicId, "thereisnosuch"]) {
      expect((await rest.put(`/boards/${board.publicId}/members/${id}`)).status).toBe(404);
      expect((await rest.delete(`/boards/${board.publicId}/members/${id}`)).status).toBe(404);
    }
    expect(
      (await rest.delete(`/boards/${board.publicId}/members/${gone.memberPublicId}`)).status,
    ).toBe(200);
    expect(
      (await rest.put(`/boards/${board.publicId}/members/${gone.memberPublicId}`)).status,
    ).toBe(404);
  });

  test("let the creator of a restricted board leave it, who then cannot see it", async () => {
    const workspace = await makeWorkspace(app());
    const maker = await join(app(), workspace, "member");
    const { body } = await maker.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Mine",
      visibility: "restricted",
    });
    expect(
      (await maker.rest.delete(`/boards/${body.publicId}/members/${maker.memberPublicId}`)).status,
    ).toBe(200);
    expect((await maker.rest.get(`/boards/${body.publicId}`)).status).toBe(403);
  });

  test("are refused to members who neither created the board nor may edit it", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const member = await join(app(), workspace, "member");
    expect(
      (await member.rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`)).status,
    ).toBe(403);
    expect(
      (await member.rest.delete(`/boards/${board.publicId}/members/${member.memberPublicId}`))
        .status,
    ).toBe(403);
  });
});
