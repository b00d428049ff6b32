import { expect, test, vi } from "vitest";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { agrees, connect, makeScene, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

/** The boards of two stores of the same user, loaded. */
async function twoStores() {
  const scene = await makeScene(app());
  const [one, two] = [connect(app, scene.admin), connect(app, scene.admin)];
  const [mine, yours] = [one.store.board(scene.board), two.store.board(scene.board)];
  mine.open();
  yours.open();
  await Promise.all([mine.ready(), yours.ready()]);
  return { ...scene, one, two, mine, yours };
}

test("a move shows at once, in the other store by its event, and equals the server", async () => {
  const { one, mine, yours, second, cards } = await twoStores();
  const write = mine.cards.move(cards[0] ?? "", { list: second });
  expect(titles(mine)).toEqual([["B", "C"], ["A"], []]);
  await write.done;
  await waitFor(() => expect(titles(yours)).toEqual([["B", "C"], ["A"], []]));
  await agrees(one, mine);
  expect(one.store.mutations().pending).toEqual([]);
});

test("all changes of cards, lists and labels show as the service answers them", async () => {
  const { one, mine, first, second, cards, labels } = await twoStores();
  const [a = "", b = "", c = ""] = cards;
  const { publicId } = mine.cards.create({ list: first, title: "D", before: b, labels });
  mine.cards.update(publicId, { description: "text", dueDate: "2026-12-01T10:00:00.000Z" });
  mine.cards.setLabels(a, labels.slice(0, 1));
  mine.cards.addLabel(b, labels[1] ?? "");
  mine.cards.update(b, { isComplete: true });
  mine.cards.archive(c);
  const label = mine.labels.create({ name: "New", colourCode: "#00ff00" });
  mine.cards.addLabel(a, label.publicId);
  mine.labels.update(labels[0] ?? "", { name: "Renamed" });
  const list = mine.lists.create({ name: "Later", after: second });
  mine.cards.move(a, { list: list.publicId });
  mine.lists.move(list.publicId, { before: first });
  mine.lists.update(first, { wipLimit: 1 });
  mine.lists.update(second, { wipLimit: 3, wipMode: "block" });
  mine.lists.delete(mine.get().board?.lists.at(-1)?.publicId ?? "");
  mine.comments.create(b, "A comment");
  mine.checklists.create(b, { name: "Steps", items: ["One", "Two"] });
  mine.update({ name: "Renamed" });
  const shown = mine.get().board;
  expect(titles(mine)).toEqual([["A"], ["D", "B"], []]);
  expect(shown).toMatchObject({
    name: "Renamed",
    lists: [
      { name: "Later", cards: [{ labels: [{ name: "New" }, { name: "Renamed" }] }] },
      {
        cardsOverLimit: 1,
        cards: [{ hasDescription: true }, { commentCount: 1, checklistItems: { total: 2 } }],
      },
      { wipLimit: 3, wipMode: "block", cardsOverLimit: 0 },
    ],
  });
  await agrees(one, mine);
  expect(one.store.mutations()).toEqual({ pending: [], failed: [] });
});

test("changes that are made offline are sent in order when the connection is back", async () => {
  const { one, two, mine, yours, first, second, cards } = await twoStores();
  one.network.down();
  const [a = "", b = ""] = cards;
  const { publicId } = mine.cards.create({ list: first, title: "D" });
  mine.cards.move(publicId, { list: second });
  mine.cards.update(a, { title: "A of one" });
  await yours.cards.update(a, { title: "A of two", isComplete: true }).done;
  await yours.cards.archive(b).done;
  await waitFor(() => expect(one.store.connection()).toBe("offline"));
  expect(titles(mine)).toEqual([["A of one", "B", "C"], ["D"], []]);
  expect(one.store.mutations().pending).toHaveLength(3);
  one.network.up();
  await agrees(one, mine);
  await agrees(two, yours);
  expect(titles(mine)).toEqual([["A of one", "C"], ["D"], []]);
  await waitFor(() => expect(one.store.connection()).toBe("online"));
});

test("a refused change is rolled back, and can be sent again or dropped", async () => {
  const { one, mine, yours, cards } = await twoStores();
  const [a = "", b = ""] = cards;
  await yours.cards.update(a, { title: "Newer" }).done;
  const outdated = mine.cards.update(a, { title: "Older" }, { ifVersion: 1 });
  const invalid = mine.cards.update(b, { title: "" });
  await expect(outdated.done).rejects.toMatchObject({ status: 412 });
  const call = one.client.card.update({ cardPublicId: b, title: "" });
  const { message } = await call.then(
    () => new Error("accepted"),
    (error: Error) => error,
  );
  await expect(invalid.done).rejects.toMatchObject({ status: 400, message });
  await waitFor(() => expect(titles(mine)?.[0]).toEqual(["Newer", "B", "C"]));
  const { failed } = one.store.mutations();
  expect(failed.map(({ error }) => error.code)).toEqual(["PRECONDITION_FAILED", "BAD_REQUEST"]);
  one.store.retry(outdated.mutationId);
  one.store.discard(invalid.mutationId);
  expect(titles(mine)?.[0]).toEqual(["Older", "B", "C"]);
  await agrees(one, mine);
  expect(one.store.mutations().failed).toEqual([]);
});

test("moves are undone, the last one first", async () => {
  const { one, mine, second, cards } = await twoStores();
  const [a = "", b = ""] = cards;
  mine.cards.move(a, { list: second });
  mine.cards.move(b, { index: 1 });
  mine.lists.move(second, { index: 0 });
  expect(titles(mine)).toEqual([["A"], ["C", "B"], []]);
  mine.undo();
  mine.undo();
  expect(titles(mine)).toEqual([["B", "C"], ["A"], []]);
  mine.undo();
  expect(titles(mine)).toEqual([["A", "B", "C"], [], []]);
  expect(mine.undo()).toBeUndefined();
  await agrees(one, mine);
});

test("a write whose response is lost has one effect", async () => {
  const { one, mine, first } = await twoStores();
  let lost = 0;
  one.network.intercept = async (request) => {
    if (!request.url.includes("card.create") || lost++ > 1) return undefined;
    await app().fetch(request);
    throw new TypeError("The connection was reset.");
  };
  await mine.cards.create({ list: first, title: "Once" }).done;
  expect(lost).toBe(3);
  await agrees(one, mine);
  expect(titles(mine)?.[0]).toEqual(["A", "B", "C", "Once"]);
});

test("a card moves to another board, in both", async () => {
  const { one, mine, workspace, cards } = await twoStores();
  const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Other",
    lists: ["There"],
  });
  const other = one.store.board(body.publicId);
  other.open();
  await other.ready();
  const write = mine.cards.move(cards[0] ?? "", { list: body.lists[0].publicId });
  expect([titles(mine)?.[0], titles(other)]).toEqual([["B", "C"], [["A"]]]);
  await write.done;
  await agrees(one, mine);
  await agrees(one, other);
});

test("selected values notify only when they change, and unchanged parts are the same", async () => {
  const { one, mine, second, cards } = await twoStores();
  const seen: unknown[] = [];
  mine.select(
    ({ board }) => board?.lists.find(({ publicId }) => publicId === second),
    (list) => seen.push(list?.cards.map(({ title }) => title)),
  );
  const before = mine.get().board;
  await mine.cards.update(cards[0] ?? "", { title: "Changed" }).done;
  await agrees(one, mine);
  const after = mine.get().board;
  expect(after?.lists[0]?.cards[1]).toBe(before?.lists[0]?.cards[1]);
  expect(after?.lists[1]).toBe(before?.lists[1]);
  expect(seen).toEqual([]);
  await mine.cards.move(cards[0] ?? "", { list: second }).done;
  expect(seen[0]).toEqual(["Changed"]);
});

test("a board that is closed to a member disappears at once, from storage too", async () => {
  const { workspace, board, cards } = await makeScene(app());
  const member = await join(app(), workspace, "member");
  const { store, outbox, network } = connect(app, member);
  const mine = store.board(board);
  mine.open();
  const card = store.card(cards[0] ?? "");
  card.subscribe(() => {});
  await mine.ready();
  await waitFor(() => expect(card.get().status).toBe("ready"));
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1));
  const { rest } = workspace.admin;
  network.intercept = (request) =>
    request.url.includes("card.update")
      ? Promise.reject(new TypeError("The network is down."))
      : Promise.resolve(undefined);
  const write = mine.cards.update(cards[0] ?? "", { title: "Unsent" });
  const started = performance.now();
  await rest.put(`/boards/${board}`, { visibility: "restricted" });
  await waitFor(() => expect(mine.get().status).toBe("denied"), { interval: 5 });
  process.stdout.write(`access lost: ${Math.round(performance.now() - started)} ms\n`);
  await expect(write.done).rejects.toMatchObject({ status: 403 });
  // What is stored of the user, such as the name, is not of the board.
  await waitFor(async () => {
    const stored = await outbox.entries("");
    expect(stored.filter(([key]) => !/^live\/(?:user|asker)/.test(key))).toEqual([]);
  });
  expect([card.get().status, store.mutations().pending]).toEqual(["denied", []]);
  await rest.put(`/boards/${board}/members/${member.memberPublicId}`);
  await waitFor(() => expect(mine.get().status).toBe("ready"));
});

test("a member who is removed from the workspace loses its boards", async () => {
  const { workspace, board } = await makeScene(app());
  const member = await join(app(), workspace, "member");
  const { store } = connect(app, member);
  const mine = store.board(board);
  mine.open();
  await mine.ready();
  const { rest } = workspace.admin;
  await rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`);
  await waitFor(() => expect(mine.get().status).toBe("denied"));
});

test("a board that cannot be seen is denied", async () => {
  const { board } = await makeScene(app());
  const { admin } = await makeScene(app());
  const mine = connect(app, admin).store.board(board);
  await expect(mine.ready()).rejects.toMatchObject({ status: 403 });
});

test("a card shows its comments and checklists with the open changes, and follows", async () => {
  const { one, mine, yours, cards } = await twoStores();
  const [a = ""] = cards;
  const card = one.store.card(a);
  card.subscribe(() => {});
  await waitFor(() => expect(card.get().status).toBe("ready"));
  mine.cards.update(a, { description: "Text" });
  mine.comments.create(a, "First");
  const list = mine.checklists.create(a, { name: "Steps" });
  mine.checklists.addItem(a, list.publicId, "One");
  expect(card.get().card).toMatchObject({
    description: "Text",
    comments: [{ comment: "First" }],
    checklists: [{ name: "Steps", items: [{ title: "One", completed: false }] }],
  });
  await yours.comments.create(a, "Second").done;
  await waitFor(() => expect(one.store.mutations().pending).toEqual([]));
  await waitFor(async () => {
    const { items: comments } = await one.client.comment.list({ cardPublicId: a });
    expect(card.get().card).toEqual({
      ...(await one.client.card.get({ cardPublicId: a })),
      comments,
    });
    expect(comments).toHaveLength(2);
  });
});

test("events that arrive together are shown together, before listeners receive them", async () => {
  const { one, mine, yours, two, first, second, cards } = await twoStores();
  const more = Array.from({ length: 37 }, (_, nth) =>
    mine.cards.create({ list: first, title: `${nth}` }),
  );
  await Promise.all(more.map(({ done }) => done));
  await agrees(one, mine);
  await agrees(two, yours);
  const all = [...cards, ...more.map(({ publicId }) => publicId)];
  const [changes, received] = [vi.fn<() => void>(), [] as [string | undefined, number][]];
  yours.subscribe(changes);
  yours.on("card.moved", ({ data }) => {
    const list = yours.get().board?.lists.find(({ publicId }) => publicId === second);
    const at = list?.cards.findIndex(({ publicId }) => publicId === data.card.publicId) ?? -1;
    received.push([data.card.publicId, at]);
  });
  await one.client.card.bulkUpdate({
    boardPublicId: mine.publicId,
    cardPublicIds: all,
    set: { listPublicId: second },
  });
  await waitFor(() => expect(received).toEqual(all.map((id, at) => [id, at])));
  expect(changes.mock.calls.length).toBeLessThan(all.length / 2);
  await agrees(two, yours);
});
