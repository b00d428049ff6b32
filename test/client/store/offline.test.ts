import { expect, test } from "vitest";
import { newPublicId } from "../../../src/client/index.ts";
import { dehydrate } from "../../../src/client/server/index.ts";
import { memoryPersistence, type Persistence } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { connect, makeScene, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
const within = { interval: 20 };

/** Waits until a storage has an entry under a key. */
const hasStored = (outbox: Persistence, key: string) =>
  waitFor(async () => expect(await outbox.entries(key)).not.toEqual([]), within);

/** A user with a storage, whose tabs come and go. */
async function withStorage() {
  const scene = await makeScene(app());
  const { publicId } = scene.workspace;
  const outbox = memoryPersistence();
  const name = newPublicId();
  const open = () => connect(app, scene.admin, { outbox, name });
  /** A tab without a connection. */
  const openOffline = () => {
    const tab = open();
    tab.network.down();
    return tab;
  };
  return { ...scene, publicId, outbox, open, openOffline };
}

test("boards of an opened workspace are there offline, and are not read again later", async () => {
  const { publicId, board, cards, admin, outbox, open, openOffline } = await withStorage();
  const first = open();
  const close = first.store.openWorkspace(publicId);
  await waitFor(() => expect(first.store.boards(publicId).status).toBe("ready"), within);
  await hasStored(outbox, `live/workspace/${publicId}`);
  await hasStored(outbox, `board/${board}`);
  close();
  first.store.close();

  const offline = openOffline();
  offline.store.openWorkspace(publicId);
  await waitFor(() => expect(offline.store.boards(publicId).status).toBe("ready"), within);
  expect(titles(offline.store.board(board))).toEqual([["A", "B", "C"], [], []]);
  offline.store.board(board).cards.update(cards[0] ?? "", { title: "Offline" });
  expect(titles(offline.store.board(board))?.[0]).toEqual(["Offline", "B", "C"]);
  await admin.rest.put(`/cards/${cards[1]}`, { title: "Meanwhile" });
  const made = (await admin.rest.post(`/workspaces/${publicId}/boards`, { name: "New" })).body;
  offline.network.up();
  await waitFor(() => {
    expect(titles(offline.store.board(board))?.[0]).toEqual(["Offline", "Meanwhile", "C"]);
    expect(offline.store.boards(publicId).boards.map((one) => one.publicId)).toContain(
      made.publicId,
    );
  }, within);
  expect(offline.network.requests.filter(({ url }) => url.includes("snapshot"))).toEqual([]);
});

test("a workspace that is mounted again is not read again", async () => {
  const { publicId, open, admin, cards, board } = await withStorage();
  const { store, network } = open();
  for (const title of ["1", "2", "3"]) {
    const close = store.openWorkspace(publicId);
    await waitFor(() => expect(store.boards(publicId).status).toBe("ready"), within);
    await admin.rest.put(`/cards/${cards[0]}`, { title });
    await waitFor(() => expect(titles(store.board(board))?.[0]?.[0]).toBe(title), within);
    close();
    // Without subscribers a board is released after a while.
    await waitFor(() => expect(store.board(board).get().status).toBe("loading"), within);
  }
  expect(network.requests.filter(({ url }) => url.includes("snapshot"))).toHaveLength(1);
});

test("a copy that is older than its workspace is read, and a lost cursor reads all", async () => {
  const { publicId, outbox, open, board } = await withStorage();
  const first = open();
  const close = first.store.openWorkspace(publicId);
  await hasStored(outbox, `live/workspace/${publicId}`);
  close();
  first.store.close();
  const [[key, saved] = ["", undefined]] = await outbox.entries(`board/${board}`);
  await outbox.set(key, { ...(saved as object), order: "" });
  const second = open();
  second.store.openWorkspace(publicId);
  await waitFor(() => {
    expect(titles(second.store.board(board))?.[0]).toHaveLength(3);
    expect(second.network.requests.some(({ url }) => url.includes("board.get"))).toBe(true);
  }, within);
  second.store.close();

  const [[name, last] = ["", undefined]] = await outbox.entries(`live/workspace/${publicId}`);
  const { at, value } = last as { at: number; value: object };
  await outbox.set(name, { at, value: { ...value, cursor: "lost.0" } });
  const third = open();
  third.network.intercept = async ({ url }) =>
    url.includes("cursor=lost")
      ? Response.json({ code: "BAD_REQUEST", message: "Lost", issues: [] }, { status: 400 })
      : undefined;
  third.store.openWorkspace(publicId);
  await waitFor(() => {
    expect(third.network.requests.some(({ url }) => url.includes("snapshot"))).toBe(true);
    expect(titles(third.store.board(board))?.[0]).toHaveLength(3);
  }, within);
});

test("a board that a server has read is stored when it is opened", async () => {
  const { board, outbox, open, openOffline } = await withStorage();
  const first = open();
  const state = dehydrate({ board: await first.client.board.get({ boardPublicId: board }) });
  first.store.hydrate(state);
  first.store.board(board).open();
  await hasStored(outbox, `board/${board}`);
  first.store.close();
  const { store } = openOffline();
  store.board(board).open();
  await waitFor(() => expect(titles(store.board(board))?.[0]).toHaveLength(3), within);
});

test("a card that is being created opens at once, and is read when it is there", async () => {
  const { board, first, open } = await withStorage();
  const { store, network } = open();
  const one = store.board(board);
  one.open();
  await one.ready();
  const release = network.hold("card.create");
  const { publicId, done } = one.cards.create({
    list: first,
    title: "New",
    description: "Text",
    labels: [one.get().board?.labels[0]?.publicId ?? ""],
  });
  const card = store.card(publicId);
  const seen: string[] = [];
  card.subscribe(() => seen.push(card.get().status));
  expect(card.get()).toMatchObject({
    status: "ready",
    card: { title: "New", description: "Text", boardPublicId: board, comments: [] },
  });
  expect(card.get().card?.labels).toHaveLength(1);
  one.comments.create(publicId, "Early");
  expect(card.get().card?.comments.map(({ comment }) => comment)).toEqual(["Early"]);
  expect(network.requests.some(({ url }) => url.includes("card.get"))).toBe(false);
  await release();
  await done;
  await waitFor(() => {
    expect(card.get().card?.cardNumber).not.toBe("");
    expect(card.get().card?.comments).toMatchObject([{ comment: "Early", version: 1 }]);
  }, within);
  expect(seen).not.toContain("denied");
});

test("a card whose create is refused is denied, and a refusal of before a change says nothing", async () => {
  const { board, first, admin, open } = await withStorage();
  const { store, network } = open();
  const one = store.board(board);
  one.open();
  await one.ready();
  const { publicId, done } = one.cards.create({ list: first, title: "" });
  const refused = store.card(publicId);
  refused.subscribe(() => undefined);
  await expect(done).rejects.toMatchObject({ status: 400 });
  await waitFor(() => expect(refused.get().status).toBe("denied"), within);

  // The answer to the read is held until the card was created elsewhere.
  const made = newPublicId();
  const release = network.hold("card.get");
  const card = store.card(made);
  card.subscribe(() => undefined);
  await waitFor(() => expect(network.held).toBe(1), within);
  await admin.rest.post("/cards", { publicId: made, title: "There", listPublicId: first });
  await waitFor(() => expect(titles(one)?.[0]).toContain("There"), within);
  await release();
  await waitFor(() => expect(card.get().card?.title).toBe("There"), within);
});

test("a card that was seen is there offline, with its comments and changes", async () => {
  const { board, cards, admin, outbox, open, openOffline } = await withStorage();
  const [id = ""] = cards;
  await admin.rest.put(`/cards/${id}`, { description: "Text" });
  await admin.rest.post(`/cards/${id}/comments`, { comment: "Hello" });
  const first = open();
  const seen = first.store.card(id);
  const stop = seen.subscribe(() => undefined);
  await waitFor(() => expect(seen.get().status).toBe("ready"), within);
  await hasStored(outbox, `live/card/${id}`);
  await hasStored(outbox, `board/${board}`);
  await hasStored(outbox, "live/user");
  stop();
  first.store.close();
  const { store } = openOffline();
  const card = store.card(id);
  card.subscribe(() => undefined);
  await waitFor(() => expect(card.get().status).toBe("ready"), within);
  store.board(board).comments.create(id, "Offline");
  const { name, image } = await first.client.user.me();
  await waitFor(() => {
    expect(card.get().card).toMatchObject({
      description: "Text",
      comments: [
        { comment: "Hello" },
        { comment: "Offline", authorName: name, author: { name, image } },
      ],
    });
  }, within);
  await store.clear();
  expect(await outbox.entries("")).toEqual([]);
});

test("with `cards: all`, each card of an opened workspace is there offline", async () => {
  const { publicId, cards, admin, outbox, open, openOffline } = await withStorage();
  const [id = ""] = cards;
  const { rest } = admin;
  await rest.put(`/cards/${id}`, { description: "Text" });
  await rest.post(`/cards/${id}/comments`, { comment: "Hello" });
  await rest.post(`/cards/${id}/checklists`, { name: "One", items: ["a"] });
  await rest.post(`/cards/${id}/attachments`, { url: "https://example.com/a", filename: "a" });
  const first = connect(app, admin, { outbox, cards: "all" });
  first.store.openWorkspace(publicId);
  await hasStored(outbox, `live/card/${id}`);
  first.store.close();
  const { store } = openOffline();
  const card = store.card(id);
  card.subscribe(() => undefined);
  await waitFor(() => expect(card.get().status).toBe("ready"), within);
  const { client } = open();
  const { isWatching: _, ...fresh } = await client.card.get({ cardPublicId: id });
  const { items: comments } = await client.comment.list({ cardPublicId: id });
  expect(card.get().card).toMatchObject({ ...fresh, comments });
});

test("a card follows its events without being read again", async () => {
  const { admin, board, cards, second, open } = await withStorage();
  const [id = ""] = cards;
  const { store, client, network } = open();
  const card = store.card(id);
  card.subscribe(() => undefined);
  await waitFor(() => expect(card.get().status).toBe("ready"), within);
  await store.board(board).ready();
  const { rest } = admin;
  const list = (await rest.post(`/cards/${id}/checklists`, { name: "One", items: ["a"] })).body;
  await rest.put(`/cards/${id}`, { title: "Changed", description: "Text" });
  const item = await rest.post(`/checklists/${list.publicId}/items`, { title: "b" });
  await rest.put(`/checklists/items/${item.body.publicId}`, { completed: true, index: 0 });
  await rest.put(`/cards/${id}`, { listPublicId: second });
  const label = store.board(board).get().board?.labels[0]?.publicId ?? "";
  await rest.put(`/cards/${id}`, { addLabelPublicIds: [label] });
  await rest.put(`/labels/${label}`, { name: "Renamed", colourCode: "#123456" });
  await rest.post(`/cards/${id}/attachments`, { url: "https://example.com/a", filename: "a" });
  await waitFor(async () => {
    const { items: comments } = await client.comment.list({ cardPublicId: id });
    expect(card.get().card).toEqual({ ...(await client.card.get({ cardPublicId: id })), comments });
  }, within);
  expect(card.get().card?.labels[0]?.name).toBe("Renamed");
  // One read by the card; the others are those of this test.
  const reads = network.requests.filter(({ url }) => url.includes("card.get,comment.list"));
  expect(reads).toHaveLength(1);
});

test("undo does not offer a move that was refused", async () => {
  const { board, cards, second, admin, open } = await withStorage();
  const { store } = open();
  const one = store.board(board);
  one.open();
  await one.ready();
  const [moved = "", other = ""] = cards;
  await one.cards.move(moved, { list: second }).done;
  const refused = one.cards.move(other, { list: newPublicId() });
  await expect(refused.done).rejects.toThrow();
  const undone = one.undo();
  expect(undone?.publicId).toBe(moved);
  await undone?.done;
  expect(one.undo()).toBeUndefined();
  expect((await admin.rest.get(`/cards/${moved}`)).body.listPublicId).not.toBe(second);
});
