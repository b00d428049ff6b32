import { IDBFactory, IDBKeyRange, IDBObjectStore, indexedDB } from "fake-indexeddb";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { memoryPersistence } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard } from "../../support/make.ts";
import { agrees, connect, makeScene, open, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

beforeAll(() => void Object.assign(globalThis, { indexedDB, IDBKeyRange }));
afterAll(() => void Object.assign(globalThis, { indexedDB: undefined, IDBKeyRange: undefined }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const day = 24 * 60 * 60 * 1000;

/** A store with IndexedDB whose board is loaded. */
async function stored() {
  const scene = await makeScene(app());
  const mine = connect(app, scene.admin, { outbox: "indexeddb" });
  const board = mine.store.board(scene.board);
  board.open();
  await board.ready();
  return { ...scene, ...mine, mine: board };
}

/** Refuses calls of the client that only secure pages can make. The app may make them. */
function refuseSecureCalls() {
  const { randomUUID } = crypto;
  const refuse = () => {
    const caller = new Error("caller").stack?.split("\n").at(3);
    if (caller?.includes("/src/client/") === true) throw new TypeError("It is not a function.");
  };
  vi.stubGlobal("navigator", { onLine: true });
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    refuse();
    return randomUUID.call(crypto);
  });
}

test("the store works on a page that is not secure", async () => {
  refuseSecureCalls();
  const { client, mine, first, second, cards, store, name } = await stored();
  const other = open(client, { outbox: "indexeddb", name }).store;
  mine.cards.create({ list: first, title: "D" });
  await mine.cards.move(cards[0] ?? "", { list: second }).done;
  const refused = mine.cards.update(cards[1] ?? "", { title: "" });
  await expect(refused.done).rejects.toMatchObject({ status: 400 });
  store.retry(refused.mutationId);
  await waitFor(() => expect(store.mutations().failed).toHaveLength(1));
  await agrees({ client, store }, mine);
  expect(titles(mine)).toEqual([["B", "C", "D"], ["A"], []]);
  await waitFor(() => expect(other.mutations().pending).toEqual([]));
});

test("changes are sent when IndexedDB cannot be opened", async () => {
  vi.spyOn(IDBFactory.prototype, "open").mockImplementation(() => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
  const { client, mine, second, cards, store } = await stored();
  await mine.cards.move(cards[0] ?? "", { list: second }).done;
  await agrees({ client, store }, mine);
  expect(store.mutations()).toEqual({ pending: [], failed: [] });
});

const refuse = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

/** What browsers take away: from pages without storage, and all of it on a server. */
const limits: Record<string, () => void> = {
  "no IndexedDB": () => void Object.assign(globalThis, { indexedDB: undefined }),
  "an IndexedDB that throws when it is read": () =>
    Object.defineProperty(globalThis, "indexedDB", { get: refuse, configurable: true }),
  "no BroadcastChannel": () => void vi.stubGlobal("BroadcastChannel", undefined),
  "a BroadcastChannel that throws": () => void vi.stubGlobal("BroadcastChannel", refuse),
  "no Web Locks": () => void vi.stubGlobal("navigator", {}),
  "Web Locks that throw": () =>
    void vi.stubGlobal("navigator", { locks: { request: async () => refuse() } }),
};

test.each([...Object.keys(limits), "all of it"])("changes are sent with %s", async (limit) => {
  const browser = Object.getOwnPropertyDescriptor(globalThis, "indexedDB") ?? {};
  onTestFinished(() => void Object.defineProperty(globalThis, "indexedDB", browser));
  for (const [name, set] of Object.entries(limits)) {
    if (limit === name || limit === "all of it") set();
  }
  const warnings: string[] = [];
  const scene = await makeScene(app());
  const onWarning = (message: string) => warnings.push(message);
  const { client, store } = connect(app, scene.admin, { outbox: "indexeddb", onWarning });
  const board = store.board(scene.board);
  board.open();
  await board.ready();
  await Promise.all([
    board.cards.move(scene.cards[0] ?? "", { list: scene.second }).done,
    board.cards.update(scene.cards[1] ?? "", { title: "Renamed" }).done,
  ]);
  await agrees({ client, store }, board);
  expect(store.mutations()).toEqual({ pending: [], failed: [] });
  const isUnstored = limit.includes("IndexedDB") || limit === "all of it";
  expect(warnings).toEqual(
    isUnstored ? ["Unsent changes are not stored: a reload loses them."] : [],
  );
});

test("tabs with a memory of their own do not show each other's unsent changes", async () => {
  const scene = await makeScene(app());
  const { client, network, store, name } = connect(app, scene.admin, { outbox: "memory" });
  const other = open(client, { outbox: "memory", name }).store;
  network.down();
  store.board(scene.board).update({ name: "Renamed" });
  await waitFor(() => expect(store.connection()).toBe("offline"));
  expect(other.mutations().pending).toEqual([]);
});

test("changes are sent once when a write to IndexedDB fails", async () => {
  const { client, network, mine, second, cards, store } = await stored();
  const full = () => {
    throw new DOMException("The quota is exceeded.", "QuotaExceededError");
  };
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(full);
  const before = network.writes().length;
  const move = mine.cards.move(cards[0] ?? "", { list: second });
  const refused = mine.cards.update(cards[1] ?? "", { title: "" });
  await move.done;
  await expect(refused.done).rejects.toMatchObject({ status: 400 });
  expect(store.mutations().failed).toHaveLength(1);
  store.discard(refused.mutationId);
  await agrees({ client, store }, mine);
  expect(network.writes().length - before).toBe(2);
});

test("an accepted change that cannot be deleted from IndexedDB is sent once", async () => {
  const { client, network, mine, second, cards, store } = await stored();
  vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
    throw new DOMException("The disk fails.", "UnknownError");
  });
  const before = network.writes().length;
  await mine.cards.move(cards[0] ?? "", { list: second }).done;
  await mine.cards.update(cards[1] ?? "", { title: "Renamed" }).done;
  await agrees({ client, store }, mine);
  expect(network.writes().length - before).toBe(2);
});

test("IndexedDB is opened again when the browser has closed it", async () => {
  const { client, mine, store, name, cards } = await stored();
  vi.spyOn(IDBFactory.prototype, "open").mockImplementationOnce(() => {
    throw new DOMException("The database is closing.", "InvalidStateError");
  });
  const again = open(client, { outbox: "indexeddb", name });
  store.close();
  const board = again.store.board(mine.publicId);
  const write = board.cards.update(cards[0] ?? "", { title: "Renamed" });
  await write.done;
  board.open();
  await board.ready();
  await agrees({ client, store }, board);
  expect(board.get().board?.lists[0]?.cards[0]?.title).toBe("Renamed");
});

test("copies that did not change for 30 days are removed at the start", async () => {
  const { admin, board } = await makeScene(app());
  const outbox = memoryPersistence();
  const { client, store } = connect(app, admin, { outbox });
  store.board(board).open();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1));
  store.close();
  const copies = async () =>
    (await outbox.entries("")).filter(([name]) => !name.startsWith("live/asker"));
  const [entry] = await outbox.entries("saved/");
  const [key = "", value] = entry ?? [];
  const at = (days: number) => ({ ...(value as object), at: Date.now() - days * day });
  await outbox.set(key, at(29));
  open(client, { outbox }).store.close();
  await waitFor(async () => expect(await copies()).toHaveLength(2));
  await outbox.set(key, at(31));
  open(client, { outbox });
  await waitFor(async () => expect(await copies()).toEqual([]));
});

test("copies of boards that were closed meanwhile are removed with the next board", async () => {
  const { workspace, board } = await makeScene(app());
  const { rest } = workspace.admin;
  const [lost, archived] = [await makeBoard(workspace), await makeBoard(workspace)];
  const member = await join(app(), workspace, "member");
  const outbox = memoryPersistence();
  const { client, store } = connect(app, member, { outbox });
  for (const id of [board, lost.publicId, archived.publicId]) store.board(id).open();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(3));
  store.close();
  await rest.put(`/boards/${lost.publicId}`, { visibility: "restricted" });
  await rest.put(`/boards/${archived.publicId}`, { isArchived: true });

  const again = open(client, { outbox }).store.board(board);
  again.open();
  await again.ready();
  await waitFor(async () => {
    const ids = (await outbox.entries("board/")).map(([key]) => key.split("/")[1]);
    expect(ids.toSorted()).toEqual([board, archived.publicId].toSorted());
  });
  expect(await outbox.entries("saved/")).toHaveLength(2);
});
