import { beforeAll, expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { exported, fetched } from "../../transfer/exports/fetching.ts";
import { bring } from "../../transfer/imports/sending.ts";
import { useApp } from "../../support/app.ts";
import {
  makeBoard,
  makeCard,
  makeWorkspace,
  type Board,
  type Workspace,
} from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let board: Board;
let card: any;
const list = () => board.lists[0] ?? "";
const { stringify } = JSON;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  const { rest } = workspace.admin;
  for (const priority of ["low", "urgent", "high"]) {
    const fields = { title: priority, priority, listPublicId: list() };
    ({ body: card } = await rest.post("/cards", fields));
  }
  await makeCard(workspace.admin, list(), "none");
});

const cardsOf = async (query = "") =>
  (await workspace.admin.rest.get(`/boards/${board.publicId}/cards${query}`)).body.items;
const titles = (cards: { title: string }[]) => cards.map(({ title }) => title);

test("a card has the priority that it was created with, none without one", async () => {
  const { rest } = workspace.admin;
  expect(card).toMatchObject({ priority: "high" });
  expect((await rest.get(`/cards/${card.publicId}`)).body.priority).toBe("high");
  const shown = (await cardsOf()).map(({ title, priority }: any) => title === priority);
  expect(shown).toEqual([true, true, true, true]);
  const { status, body } = await rest.post("/cards", {
    title: "x",
    listPublicId: list(),
    priority: "highest",
  });
  expect(status).toBe(400);
  expect(body.issues[0].path).toEqual(["priority"]);
});

test("listings are sorted by it, most urgent first, page by page, and filtered by it", async () => {
  expect(titles(await cardsOf("?sort=priority"))).toEqual(["urgent", "high", "low", "none"]);
  const path = `/boards/${board.publicId}/cards?sort=priority&limit=2`;
  const { body: first } = await workspace.admin.rest.get(path);
  const next = await workspace.admin.rest.get(`${path}&cursor=${first.nextCursor}`);
  expect(titles([...first.items, ...next.body.items])).toEqual(["urgent", "high", "low", "none"]);
  const filter = "?priority=urgent,low";
  expect(titles(await cardsOf(filter))).toEqual(["low", "urgent"]);
  const { lists } = (await workspace.admin.rest.get(`/boards/${board.publicId}${filter}`)).body;
  expect(titles(lists[0].cards)).toEqual(["low", "urgent"]);
  expect(lists[0]).toMatchObject({ cardCount: 2 });
  expect(lists[0].cards.map(({ index }: any) => index)).toEqual([0, 1]);
});

test("changes of it are events, of one card and of many", async () => {
  const { admin } = workspace;
  const other = await makeBoard(workspace);
  const ids = [
    await makeCard(admin, other.lists[0] ?? "", "one"),
    await makeCard(admin, other.lists[0] ?? "", "two"),
  ];
  const before = (await eventsIn(app(), workspace.publicId)).length;
  await admin.rest.put(`/cards/${ids[0]}`, { priority: "medium" });
  const set = { priority: "high" };
  const { body } = await admin.rest.post(`/boards/${other.publicId}/cards/bulk`, {
    filter: { priority: ["none", "medium"] },
    set,
  });
  expect(body).toEqual({ selected: 2, changed: 2 });
  const events = (await eventsIn(app(), workspace.publicId)).slice(before);
  expect(events.map(({ type, changes }: any) => [type, changes])).toEqual([
    ["card.updated", { priority: { from: "none", to: "medium" } }],
    ["card.updated", { priority: { from: "medium", to: "high" } }],
    ["card.updated", { priority: { from: "none", to: "high" } }],
  ]);
  expect(events[2]?.data).toMatchObject({ card: { priority: "high" } });
});

test("copies, exports, CSV and imports have it; an export of before has none", async () => {
  const { admin } = workspace;
  const copy = await admin.rest.post(`/cards/${card.publicId}/duplicate`, {});
  expect(copy.body.priority).toBe("high");
  await admin.rest.delete(`/cards/${copy.body.publicId}`);
  const { body: copied } = await admin.rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Copy",
    sourceBoardPublicId: board.publicId,
  });
  const all = ["low", "urgent", "high", "none"];
  const prioritiesOf = (cards: any[]) => cards.map(({ priority }) => priority);
  expect(prioritiesOf(copied.lists[0].cards)).toEqual(all);
  await admin.rest.delete(`/boards/${copied.publicId}`);
  const { text } = await fetched(app(), admin.token, `/boards/${board.publicId}/cards.csv`);
  const [head = "", first = ""] = text.split("\r\n").map((line) => line.split(","));
  expect(first[head.indexOf(stringify("priority"))]).toBe(stringify("low"));

  const document = await exported(app(), admin.token, workspace.publicId);
  expect(prioritiesOf(document.cards.slice(0, all.length))).toEqual(all);
  const again = await bring(app(), admin, document);
  const second = await exported(app(), admin.token, again.workspacePublicId);
  expect(prioritiesOf(second.cards)).toEqual(prioritiesOf(document.cards));
  const cards = document.cards.map((one: object) => ({ ...one, priority: undefined }));
  const older = await bring(app(), admin, { ...document, cards });
  const third = await exported(app(), admin.token, older.workspacePublicId);
  expect(new Set(prioritiesOf(third.cards))).toEqual(new Set(["none"]));
});
