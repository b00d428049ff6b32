import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

async function namesOf(workspace: Workspace, board: string): Promise<string[]> {
  const { body } = await workspace.admin.rest.get(`/boards/${board}`);
  return body.lists.map(({ name }: { name: string }) => name);
}

test("list.update changes what is given, and null clears the limit", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const { rest, trpc } = workspace.admin;
  const first = await rest.put(`/lists/${lists[0]}`, { name: " Later ", wipLimit: 3 });
  expect(first).toMatchObject({ status: 200, body: { name: "Later", wipLimit: 3, version: 2 } });
  expect(first.headers.get("etag")).toBe('"2"');
  const second = await trpc.list.update.mutate({ listPublicId: lists[0] ?? "", wipLimit: null });
  expect(second).toMatchObject({ name: "Later", wipLimit: null, version: 3 });
  const events = await eventsIn(app(), workspace.publicId, "list.updated");
  expect(events.map(({ changes }) => changes)).toEqual([
    { name: { from: "To do", to: "Later" }, wipLimit: { from: null, to: 3 } },
    { wipLimit: { from: 3, to: null } },
  ]);
});

test("list.update moves a list by index or anchor, emits both indexes, and nothing without a move", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId, lists } = await makeBoard(workspace, { lists: ["A", "B", "C"] });
  const [a = "", b = "", c = ""] = lists;
  const { rest } = workspace.admin;
  await rest.put(`/lists/${a}`, { index: 99 });
  expect(await namesOf(workspace, publicId)).toEqual(["B", "C", "A"]);
  await rest.put(`/lists/${a}`, { beforeListPublicId: c });
  expect(await namesOf(workspace, publicId)).toEqual(["B", "A", "C"]);
  await rest.put(`/lists/${a}`, { index: 1 });
  await rest.put(`/lists/${a}`, { afterListPublicId: b });
  const moves = await eventsIn(app(), workspace.publicId, "list.moved");
  expect(moves.map(({ data }) => data)).toMatchObject([
    { from: { index: 0 }, to: { index: 2 } },
    { from: { index: 2 }, to: { index: 1 } },
  ]);
});

test("list.update refuses two placements, an anchor on another board, and a deleted list", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const other = await makeBoard(workspace);
  const { rest } = workspace.admin;
  const put = async (body: object) => (await rest.put(`/lists/${lists[0]}`, body)).status;
  expect(await put({ index: 0, afterListPublicId: lists[1] })).toBe(400);
  expect(await put({ index: -1 })).toBe(400);
  expect(await put({ wipLimit: 0 })).toBe(400);
  for (const field of ["afterListPublicId", "beforeListPublicId"]) {
    const reply = await rest.put(`/lists/${lists[0]}`, { [field]: other.lists[0] });
    expect(reply).toMatchObject({ status: 409, body: { issues: [{ path: [field] }] } });
  }
  await rest.delete(`/lists/${lists[0]}`);
  expect(await put({ name: "Gone" })).toBe(404);
});

test("list.update archives a list, and unarchives it to its former position", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId, lists } = await makeBoard(workspace, { lists: ["A", "B", "C"] });
  const { rest } = workspace.admin;
  for (const isArchived of [true, true, false, false]) {
    await rest.put(`/lists/${lists[1]}`, { isArchived });
    const names = isArchived ? ["A", "C"] : ["A", "B", "C"];
    expect(await namesOf(workspace, publicId)).toEqual(names);
  }
  const types = (await eventsIn(app(), workspace.publicId)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("list."))).toEqual([
    "list.archived",
    "list.unarchived",
  ]);
});

test("list.cards pages through a list in its order, without what is archived or deleted", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const { admin } = workspace;
  const [list = ""] = lists;
  const cards: string[] = [];
  for (let nth = 0; nth < 6; nth++) cards.push(await makeCard(admin, list));
  await admin.rest.delete(`/cards/${cards[1]}`);
  await admin.rest.put(`/cards/${cards[2]}`, { isArchived: true });
  const first = await admin.rest.get(`/lists/${list}/cards?limit=2`);
  expect(first.body.items.map((card: { publicId: string }) => card.publicId)).toEqual([
    cards[0],
    cards[3],
  ]);
  await admin.rest.delete(`/cards/${cards[3]}`);
  const { nextCursor } = first.body;
  const second = await admin.trpc.list.cards.query({
    listPublicId: list,
    limit: 2,
    cursor: nextCursor,
  });
  expect(second.items.map(({ publicId }) => publicId)).toEqual([cards[4], cards[5]]);
  expect(second.nextCursor).toBeNull();
  expect((await admin.rest.get(`/lists/${lists[1]}/cards?cursor=${nextCursor}`)).status).toBe(400);
});

test("list.delete hides the cards; list.restore restores list and cards, at the end when the position is taken", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId, lists } = await makeBoard(workspace, { lists: ["A", "B", "C"] });
  const { admin } = workspace;
  const card = await makeCard(admin, lists[1] ?? "");
  const restore = () => admin.rest.post(`/lists/${lists[1]}/restore`);
  await admin.rest.delete(`/lists/${lists[1]}`);
  expect((await admin.rest.get(`/cards/${card}`)).status).toBe(404);
  expect((await restore()).status).toBe(200);
  expect((await restore()).status).toBe(200);
  expect(await namesOf(workspace, publicId)).toEqual(["A", "B", "C"]);
  expect((await admin.rest.get(`/cards/${card}`)).status).toBe(200);
  expect(await eventsIn(app(), workspace.publicId, "list.restored")).toHaveLength(1);

  await admin.rest.delete(`/lists/${lists[1]}`);
  await admin.rest.post("/lists", { name: "D", boardPublicId: publicId, index: 1 });
  expect((await restore()).status).toBe(200);
  expect(await namesOf(workspace, publicId)).toEqual(["A", "D", "C", "B"]);
});

test("list.restore on a deleted board is 409, and for those who may not delete lists 403", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId, lists } = await makeBoard(workspace);
  const guest = await join(app(), workspace, "guest");
  const { rest } = workspace.admin;
  await rest.delete(`/lists/${lists[0]}`);
  expect((await guest.rest.post(`/lists/${lists[0]}/restore`)).status).toBe(403);
  await rest.delete(`/boards/${publicId}`);
  expect((await rest.post(`/lists/${lists[0]}/restore`)).status).toBe(409);
  expect((await rest.post(`/lists/${lists[1]}/restore`)).status).toBe(409);
});
