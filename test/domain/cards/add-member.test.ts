import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { typesOn } from "./types-on.ts";

const app = useApp();

test("card.addMember and card.removeMember answer the card, and repeated they change nothing", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const card = await makeCard(workspace.admin, (await makeBoard(workspace)).lists[0] ?? "");
  const { memberPublicId } = await join(app(), workspace, "member");
  for (const repeat of ["first", "again"]) {
    const added = await rest.post(`/cards/${card}/members`, { memberPublicId });
    expect(added, repeat).toMatchObject({ status: 200 });
    expect(added.body.members).toMatchObject([{ publicId: memberPublicId }]);
    expect(added.body).toEqual((await rest.get(`/cards/${card}`)).body);
  }
  for (const repeat of ["first", "again"]) {
    const removed = await rest.delete(`/cards/${card}/members/${memberPublicId}`);
    expect(removed, repeat).toMatchObject({ status: 200, body: { members: [] } });
    expect(removed.body).toEqual((await rest.get(`/cards/${card}`)).body);
  }
  expect(await typesOn(app(), card)).toEqual([
    "card.created",
    "card.member_added",
    "card.member_removed",
  ]);
});

test("card.addMember is 404 for a removed member, and 409 for one who cannot see the board", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const gone = await join(app(), workspace, "member");
  const member = await join(app(), workspace, "member");
  await rest.delete(`/workspaces/${workspace.publicId}/members/${gone.memberPublicId}`);
  await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const add = async ({ memberPublicId }: { memberPublicId: string }) =>
    (await rest.post(`/cards/${card}/members`, { memberPublicId })).status;
  expect(await add(gone)).toBe(404);
  expect(await add(member)).toBe(409);
});
