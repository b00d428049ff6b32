import { IDBKeyRange, indexedDB } from "fake-indexeddb";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.ts";
import { agrees, connect, makeScene, open, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

beforeAll(() => void Object.assign(globalThis, { indexedDB, IDBKeyRange }));
afterEach(() => void vi.restoreAllMocks());
afterAll(() => void Object.assign(globalThis, { indexedDB: undefined, IDBKeyRange: undefined }));

/** Two stores with one IndexedDB, and the board of a scene loaded in both. */
async function twoTabs() {
  const scene = await makeScene(app());
  const tab = connect(app, scene.admin, { outbox: "indexeddb" });
  const other = open(tab.client, { outbox: "indexeddb", name: tab.name });
  const [mine, yours] = [tab.store.board(scene.board), other.store.board(scene.board)];
  mine.open();
  yours.open();
  await Promise.all([mine.ready(), yours.ready()]);
  return { ...scene, ...tab, other: { ...other, client: tab.client }, mine, yours };
}

test("a reload with unsent changes loses nothing, and sends each once", async () => {
  const { admin, board, first, second, cards } = await makeScene(app());
  const before = connect(app, admin, { outbox: "indexeddb" });
  const mine = before.store.board(board);
  mine.open();
  await mine.ready();
  // The service gets the first change; its response is lost, and the others are not sent.
  let isSent = false;
  before.network.intercept = async (request) => {
    if (!request.url.includes("/trpc/") || request.method !== "POST") return undefined;
    if (!isSent) await app().fetch(request);
    isSent = true;
    before.network.isDown = true;
    throw new TypeError("The connection was reset.");
  };
  mine.cards.create({ list: first, title: "D" });
  mine.cards.move(cards[0] ?? "", { list: second });
  await waitFor(() => expect(isSent).toBe(true));
  before.network.down();
  mine.cards.update(cards[1] ?? "", { title: "Renamed" });
  const { name } = before;
  await waitFor(() => expect(before.store.connection()).toBe("offline"));
  before.store.close();

  const after = connect(app, admin, { outbox: "indexeddb", name });
  after.network.isDown = true;
  const again = after.store.board(board);
  again.open();
  await waitFor(() => expect(titles(again)).toEqual([["Renamed", "C", "D"], ["A"], []]));
  after.network.up();
  await agrees(after, again);
  expect(titles(again)).toEqual([["Renamed", "C", "D"], ["A"], []]);
  expect(after.store.mutations()).toEqual({ pending: [], failed: [] });
});

test("tabs show each other's changes, and one of them sends", async () => {
  const { client, store, other, network, first, cards, mine, yours } = await twoTabs();
  network.down();
  for (let nth = 0; nth < 5; nth++) {
    mine.cards.create({ list: first, title: `mine ${nth}` });
    yours.cards.update(cards[0] ?? "", { title: `yours ${nth}` });
  }
  await waitFor(() => {
    expect(mine.get().board?.lists[0]?.cards).toHaveLength(8);
    expect(yours.get().board?.lists[0]?.cards).toHaveLength(8);
  });
  const sent = network.writes().length;
  network.up();
  await agrees({ client, store }, mine);
  await agrees(other, yours);
  expect(network.writes().length - sent).toBe(10);
});

test("when the tab that sends is closed, the other one sends", async () => {
  const { other, network, store, first, mine, yours } = await twoTabs();
  network.down();
  mine.cards.create({ list: first, title: "Left" });
  await waitFor(() => expect(yours.get().board?.lists[0]?.cards).toHaveLength(4));
  store.close();
  network.up();
  await agrees(other, yours);
  expect(titles(yours)?.[0]).toEqual(["A", "B", "C", "Left"]);
});

test("changes are sent when a read of IndexedDB fails once", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { client, store } = connect(app, admin, { outbox: "indexeddb" });
  const mine = store.board(board);
  mine.open();
  await mine.ready();
  const bound = IDBKeyRange.bound.bind(IDBKeyRange);
  let failed = 0;
  vi.spyOn(IDBKeyRange, "bound").mockImplementation((from: string, to: string) => {
    const isOfChanges = from.startsWith("change/");
    if (isOfChanges && failed++ === 0) throw new DOMException("Connection lost", "UnknownError");
    return bound(from, to);
  });
  await mine.cards.update(cards[0] ?? "", { title: "Renamed" }).done;
  expect(failed).toBeGreaterThan(1);
  await agrees({ client, store }, mine);
});

test("a failure survives a reload, and `clear` removes everything", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { client, store, name } = connect(app, admin, { outbox: "indexeddb" });
  const write = store.board(board).cards.update(cards[0] ?? "", { title: "" });
  await expect(write.done).rejects.toMatchObject({ status: 400 });
  store.close();
  const failures: string[] = [];
  const again = open(client, {
    outbox: "indexeddb",
    name,
    onFailure: ({ id }) => failures.push(id),
  });
  await waitFor(() => expect(again.store.mutations().failed).toHaveLength(1));
  again.store.retry(write.mutationId);
  await waitFor(() => expect(failures).toHaveLength(1));
  await again.store.clear();
  expect(again.store.mutations()).toEqual({ pending: [], failed: [] });
  const last = open(client, { outbox: "indexeddb", name });
  await last.store.clear();
  expect(last.store.mutations().failed).toEqual([]);
});
