import { expect, test } from "vitest";
import { memoryPersistence } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { waitFor } from "../../support/wait.ts";
import { connect, makeScene } from "./scene.ts";

const app = useApp();

const shownTitles = (board: { lists: { cards: { title: string }[] }[] }) =>
  board.lists.flatMap(({ cards }) => cards.map(({ title }) => title));

test("a board that nothing has opened is read at each `ready`, with changes of others and one's own", async () => {
  const { admin, board, first } = await makeScene(app());
  const { store } = connect(app, admin);
  const mine = store.board(board);
  const expected = ["A", "B", "C"];
  expect(shownTitles(await mine.ready())).toEqual(expected);
  for (const title of ["D", "E", "F", "G", "H"]) {
    await admin.rest.post("/cards", { title, listPublicId: first });
    expected.push(title);
    expect(shownTitles(await mine.ready())).toEqual(expected);
  }
  await mine.cards.create({ list: first, title: "Mine" }).done;
  expect(shownTitles(await mine.ready())).toEqual([...expected, "Mine"]);
});

test("a stored copy is not what `ready` resolves with, unless the network is down", async () => {
  const { admin, board, cards, first } = await makeScene(app());
  const outbox = memoryPersistence();
  const before = connect(app, admin, { outbox, name: "one" });
  await before.store.board(board).ready();
  await before.store.card(cards[0] ?? "").ready();
  await before.store.live.workspaces().ready();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1));
  before.store.close();

  await admin.rest.post("/cards", { title: "D", listPublicId: first });
  await admin.rest.put(`/cards/${cards[0]}`, { description: "Changed" });
  const after = connect(app, admin, { outbox, name: "one" });
  expect(shownTitles(await after.store.board(board).ready())).toContain("D");
  expect(await after.store.card(cards[0] ?? "").ready()).toMatchObject({ description: "Changed" });
  await waitFor(async () => {
    const [[, stored] = []] = await outbox.entries("board/");
    expect(JSON.stringify(stored)).toContain('"D"');
  });
  after.store.close();

  await admin.rest.post("/cards", { title: "E", listPublicId: first });
  const offline = connect(app, admin, { outbox, name: "one" });
  offline.network.down();
  const { store } = offline;
  expect(shownTitles(await store.board(board).ready())).toEqual(["A", "B", "C", "D"]);
  expect(await store.card(cards[0] ?? "").ready()).toMatchObject({ description: "Changed" });
  expect(await store.live.workspaces().ready()).toHaveLength(1);
});

test("what is open already is read again by `ready` too", async () => {
  const { admin, board, cards, workspace } = await makeScene(app());
  const { store, network } = connect(app, admin);
  const card = store.card(cards[0] ?? "");
  const views = store.live.views(workspace.publicId);
  for (const opened of [store.board(board), card, views]) opened.subscribe(() => undefined);
  await Promise.all([store.board(board).ready(), card.ready(), views.ready()]);
  // The stream is silent: only a read can tell.
  const release = network.hold("/stream");
  await admin.rest.put(`/cards/${cards[0]}`, { title: "New", description: "Text" });
  await admin.rest.post(`/workspaces/${workspace.publicId}/views`, { name: "View" });
  expect(shownTitles(await store.board(board).ready())).toContain("New");
  expect(await card.ready()).toMatchObject({ title: "New", description: "Text" });
  expect(await views.ready()).toMatchObject([{ name: "View" }]);
  await release();
});

test("what cannot be seen rejects", async () => {
  const { board, cards, workspace } = await makeScene(app());
  const { store } = connect(app, await makeUser(app()));
  for (const source of [
    store.board(board),
    store.card(cards[0] ?? ""),
    store.live.members(workspace.publicId),
  ])
    await expect(source.ready()).rejects.toMatchObject({ status: 403 });
});
