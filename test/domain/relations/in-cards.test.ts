import { expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

type Shown = { kind: string; card: { publicId: string } };

async function scene(count: number) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const list = board.lists[0] ?? "";
  const cards: string[] = [];
  for (let nth = 0; nth < count; nth++) cards.push(await makeCard(workspace.admin, list));
  const { rest } = workspace.admin;
  const shown = async (id: string) => (await rest.get(`/cards/${id}`)).body;
  const relationsOf = async (id: string) =>
    (await shown(id)).relations.map(({ kind, card }: Shown) => [kind, card.publicId]);
  const typesOf = async (id: string) =>
    (await rest.get(`/cards/${id}/activities`)).body.items.map(
      ({ type }: { type: string }) => type,
    );
  return { workspace, board, list, cards, rest, shown, relationsOf, typesOf };
}

const related = (kind: string, relatedCardPublicId: string | undefined) => ({
  kind,
  relatedCardPublicId,
});

test("a new card has relations, by ids and by numbers, or is not made", async () => {
  const { list, cards, rest, shown, relationsOf, typesOf } = await scene(3);
  const [parent = "", blocker = "", other] = cards;
  const number = (await shown(blocker)).cardNumber;
  const relations = [related("child", parent), related("blockedBy", number)];
  const input = { listPublicId: list, title: "Child", relations };
  const { status, body } = await rest.post("/cards", input);
  expect(status).toBe(200);
  expect(body.relations).toMatchObject([{ kind: "child" }, { kind: "blockedBy" }]);
  expect(await relationsOf(parent)).toEqual([["parent", body.publicId]]);
  expect(await relationsOf(blocker)).toEqual([["blocks", body.publicId]]);
  expect(await typesOf(body.publicId)).toEqual([
    "relation.created",
    "relation.created",
    "card.created",
  ]);
  const count = async () => (await rest.get(`/lists/${list}/cards`)).body.items.length;
  const before = await count();
  const twoParents = [related("child", parent), related("child", other)];
  const refused = await rest.post("/cards", { ...input, relations: twoParents });
  expect(refused).toMatchObject({
    status: 409,
    body: { issues: [{ code: "relation_second_parent", path: ["relations", 1] }] },
  });
  const missing = await rest.post("/cards", { ...input, relations: [related("blocks", "99")] });
  const path = ["relations", 0, "relatedCardPublicId"];
  expect(missing).toMatchObject({ status: 404, body: { issues: [{ path }] } });
  expect(await count()).toBe(before);
});

test("an update changes relations with the rest of a card, all or nothing", async () => {
  const { cards, rest, shown, relationsOf } = await scene(4);
  const [one = "", two = "", three = ""] = cards;
  const addRelations = [related("blocks", two), related("child", three)];
  const first = await rest.put(`/cards/${one}`, { title: "New title", addRelations });
  expect(first.status).toBe(200);
  expect(await relationsOf(one)).toEqual([
    ["child", three],
    ["blocks", two],
  ]);
  const { version } = await shown(one);
  await rest.put(`/cards/${one}`, { addRelations });
  expect((await shown(one)).version).toBe(version);
  const swap = {
    removeRelations: [related("child", three), related("relates", two)],
    addRelations: [related("child", cards[3])],
  };
  expect((await rest.put(`/cards/${one}`, swap)).status).toBe(200);
  expect(await relationsOf(one)).toEqual([
    ["child", cards[3]],
    ["blocks", two],
  ]);
  const circle = { title: "Lost", addRelations: [related("blockedBy", two)] };
  const refused = await rest.put(`/cards/${one}`, circle);
  expect(refused.status).toBe(409);
  expect(refused.body.issues[0]).toMatchObject({
    code: "relation_cycle",
    path: ["addRelations", 0],
    message: expect.stringContaining("→"),
  });
  expect((await shown(one)).title).toBe("New title");
});

test("bulk relates many cards to others, with an error at its path", async () => {
  const { board, cards, rest, relationsOf, list } = await scene(5);
  const [parent = "", ...children] = cards;
  const path = `/boards/${board.publicId}/cards/bulk`;
  const set = { addRelations: [related("child", parent)] };
  const done = await rest.post(path, { cardPublicIds: children, set });
  expect(done.body).toEqual({ selected: 4, changed: 4 });
  expect((await relationsOf(parent)).map(([kind]: string[]) => kind)).toEqual(
    Array.from({ length: 4 }, () => "parent"),
  );
  const again = await rest.post(path, { cardPublicIds: children, set });
  expect(again.body).toEqual({ selected: 4, changed: 0 });
  const own = await rest.post(path, { cardPublicIds: [parent], set });
  expect(own).toMatchObject({
    status: 409,
    body: { issues: [{ code: "relation_cycle", path: ["set", "addRelations", 0] }] },
  });
  const removed = { removeRelations: [related("child", parent)] };
  const filter = { lists: [list] };
  expect((await rest.post(path, { filter, set: removed })).body.changed).toBe(4);
  expect(await relationsOf(parent)).toEqual([]);
});

test("relations of a card require card:edit, also from its creator, and cards that are seen", async () => {
  const { workspace, list, cards, rest } = await scene(1);
  const member = await join(app(), workspace, "member");
  const hidden = await makeBoard(workspace);
  await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const secret = await makeCard(workspace.admin, hidden.lists[0] ?? "");
  const own = await makeCard(member, list);
  const unseen = { addRelations: [related("blocks", secret)] };
  expect((await member.rest.put(`/cards/${own}`, unseen)).status).toBe(404);
  const home = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions`;
  await rest.post(`${home}/revoke`, { permission: "card:edit" });
  const seen = [related("blocks", cards[0])];
  expect((await member.rest.put(`/cards/${own}`, { addRelations: seen })).status).toBe(403);
  const input = { listPublicId: list, title: "New", relations: seen };
  expect((await member.rest.post("/cards", input)).status).toBe(403);
});

test("a batch makes a card with relations to one that it makes too", async () => {
  const { workspace, list, rest, relationsOf } = await scene(0);
  const [first, second] = [publicId(), publicId()];
  const make = (id: string, relations: object[]) => ({
    operation: "card.create",
    input: { publicId: id, listPublicId: list, title: "Card", relations },
  });
  const operations = [make(first, []), make(second, [related("blockedBy", first)])];
  const path = `/workspaces/${workspace.publicId}/batch`;
  expect((await rest.post(path, { operations })).body).toMatchObject({ dryRun: false });
  expect(await relationsOf(first)).toEqual([["blocks", second]]);
});

test("an item of a checklist becomes a child with its title, member and due date", async () => {
  const { workspace, cards, rest, shown, relationsOf, typesOf } = await scene(1);
  const [parent = ""] = cards;
  const checklist = { name: "Steps", items: ["Paint", "Dry"] };
  const { items } = (await rest.post(`/cards/${parent}/checklists`, checklist)).body;
  const [{ publicId: item }] = items;
  const members = (await rest.get(`/workspaces/${workspace.publicId}/members`)).body;
  const memberPublicId = (members.items ?? members)[0].publicId;
  await rest.put(`/checklists/items/${item}`, { memberPublicId, dueDate: "2031-02-03" });
  const { status, body } = await rest.post(`/checklists/items/${item}/card`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    title: "Paint",
    isDueAllDay: true,
    members: [{ publicId: memberPublicId }],
    relations: [{ kind: "child", card: { publicId: parent } }],
  });
  expect(await relationsOf(parent)).toEqual([["parent", body.publicId]]);
  const left = (await shown(parent)).checklists[0].items.map(
    ({ title }: { title: string }) => title,
  );
  expect(left).toEqual(["Dry"]);
  expect(await typesOf(body.publicId)).toEqual(["relation.created", "card.created"]);
  expect((await rest.post(`/checklists/items/${item}/card`, {})).status).toBe(404);
});
