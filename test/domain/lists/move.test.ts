import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function start() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const here = await makeBoard(workspace, { labels: 1 });
  const there = await makeBoard(workspace);
  const [list = ""] = here.lists;
  const namesOn = async (board: string) =>
    (await admin.rest.get(`/boards/${board}`)).body.lists.map(
      ({ publicId }: { publicId: string }) => publicId,
    );
  const move = (input: object, user = admin) => user.rest.post(`/lists/${list}/move`, input);
  return { workspace, admin, here, there, list, namesOn, move };
}

test("list.move takes all cards of a list to a place on another board", async () => {
  const { workspace, admin, here, there, list, namesOn, move } = await start();
  const [a, archived, deleted, b] = [
    await makeCard(admin, list, "A"),
    await makeCard(admin, list, "archived"),
    await makeCard(admin, list, "deleted"),
    await makeCard(admin, list, "B"),
  ];
  await admin.rest.put(`/cards/${a}/labels/${here.labels[0]}`);
  await admin.rest.put(`/cards/${archived}`, { isArchived: true });
  await admin.rest.delete(`/cards/${deleted}`);
  const [first = "", ...others] = there.lists;
  const reply = await move({ boardPublicId: there.publicId, afterListPublicId: first });
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { publicId: list, boardPublicId: there.publicId, cardCount: 2, index: 1 },
  ]);
  expect(reply.headers.get("etag")).toBe(`"${reply.body.version}"`);
  expect(await namesOn(there.publicId)).toEqual([first, list, ...others]);
  expect(await namesOn(here.publicId)).toEqual(here.lists.slice(1));
  expect((await admin.rest.post(`/cards/${deleted}/restore`)).status).toBe(200);
  const { body: labels } = await admin.rest.get(`/boards/${there.publicId}/labels`);
  for (const card of [a, archived, deleted, b]) {
    const { body } = await admin.rest.get(`/cards/${card}`);
    expect(body).toMatchObject({ boardPublicId: there.publicId, listPublicId: list });
    expect(body.labels).toEqual(card === a ? labels : []);
  }
  const spots = {
    from: { boardPublicId: here.publicId, index: 0 },
    to: { boardPublicId: there.publicId, index: 1 },
  };
  const { version } = reply.body;
  expect(await eventsIn(app(), workspace.publicId, "list.moved")).toMatchObject([
    { boardPublicId: here.publicId, data: { ...spots, list: { version: version - 1 } } },
    { boardPublicId: there.publicId, data: { ...spots, list: { version } } },
  ]);
  const moved = await eventsIn(app(), workspace.publicId, "card.moved");
  expect(moved.map(({ data }) => data)).toMatchObject([
    { card: { title: "A", labels }, from: { index: 0 }, to: { index: 0 } },
    { card: { title: "archived" }, from: { index: null }, to: { index: 1 } },
    { card: { title: "B" }, from: { index: 1 }, to: { index: 1 } },
  ]);
});

test("list.move again changes nothing, and on its own board it moves the list there", async () => {
  const { workspace, there, namesOn, move } = await start();
  const input = { boardPublicId: there.publicId };
  const first = await move(input);
  expect((await move(input)).body).toEqual(first.body);
  expect((await move({ ...input, index: 0 })).body.index).toBe(0);
  expect((await namesOn(there.publicId)).length).toBe(there.lists.length + 1);
  expect(await eventsIn(app(), workspace.publicId, "list.moved")).toHaveLength(3);
});

test("list.move refuses a board that is foreign, hidden or without rights there", async () => {
  const { workspace, admin, there, move } = await start();
  const member = await join(app(), workspace, "member");
  const foreign = await makeBoard(await makeWorkspace(app()));
  expect((await move({ boardPublicId: foreign.publicId })).status).toBe(404);
  await admin.rest.put(`/boards/${there.publicId}`, { visibility: "restricted" });
  const hidden = await move({ boardPublicId: there.publicId }, member);
  expect([403, 404]).toContain(hidden.status);
  const guest = await join(app(), workspace, "guest");
  expect((await move({ boardPublicId: there.publicId }, guest)).status).toBe(403);
  const anchor = { boardPublicId: there.publicId, beforeListPublicId: "a".repeat(12) };
  expect((await move(anchor)).body.issues[0].code).toBe("anchor_missing");
});

test("list.move needs assignees who see the board; those of cards in the trash end", async () => {
  const { workspace, admin, there, list, move } = await start();
  const member = await join(app(), workspace, "member");
  const { memberPublicId } = member;
  const card = await makeCard(admin, list);
  await admin.rest.put(`/cards/${card}/members/${memberPublicId}`);
  await admin.rest.put(`/boards/${there.publicId}`, { visibility: "restricted" });
  const input = { boardPublicId: there.publicId };
  const refused = await move(input);
  expect([refused.status, refused.body.issues[0].code]).toEqual([409, "member_without_access"]);
  await admin.rest.delete(`/cards/${card}`);
  expect((await move(input)).status).toBe(200);
  expect((await admin.rest.post(`/cards/${card}/restore`)).status).toBe(200);
  expect((await admin.rest.get(`/cards/${card}`)).body.members).toEqual([]);
});

test("list.move names the other board only to those who see it", async () => {
  const { workspace, admin, here, there, move } = await start();
  const member = await join(app(), workspace, "member");
  await admin.rest.put(`/boards/${there.publicId}`, { visibility: "restricted" });
  await move({ boardPublicId: there.publicId });
  const { body } = await member.rest.get(`/workspaces/${workspace.publicId}/events?limit=100`);
  const moves = body.items.filter(({ type }: { type: string }) => type === "list.moved");
  expect(moves).toMatchObject([{ data: { from: { boardPublicId: here.publicId } } }]);
  expect(JSON.stringify(moves)).not.toContain(there.publicId);
});

test("list.move to and fro, while cards are added and moved, loses none", async () => {
  const { admin, here, there, list, move } = await start();
  const other = here.lists[1] ?? "";
  await Promise.all([makeCard(admin, list), makeCard(admin, list), makeCard(admin, other)]);
  const replies = await Promise.all([
    move({ boardPublicId: there.publicId, index: 0 }),
    move({ boardPublicId: here.publicId }),
    admin.rest.post("/cards", { title: "New", listPublicId: list }),
    admin.rest.post(`/lists/${other}/move-cards`, { targetListPublicId: list }),
    move({ boardPublicId: there.publicId }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { body } = await admin.rest.get(`/lists/${list}`);
  const cards = await admin.rest.get(`/lists/${list}/cards?limit=100`);
  expect(cards.body.items).toHaveLength(4);
  for (const { publicId } of cards.body.items) {
    const card = await admin.rest.get(`/cards/${publicId}`);
    expect(card.body.boardPublicId).toBe(body.boardPublicId);
  }
});
