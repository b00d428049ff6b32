import { expect, test } from "vitest";
import { memoryPersistence } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { waitFor } from "../../support/wait.ts";
import { agrees, connect, makeScene, titles } from "./scene.ts";

const app = useApp();
const names = (boards: readonly { name: string }[]) => boards.map(({ name }) => name);

test("a new board shows at once with its lists and cards, and is the service's", async () => {
  const { admin, workspace } = await makeScene(app());
  const tab = connect(app, admin);
  const { store } = tab;
  store.openWorkspace(workspace.publicId);
  await waitFor(() => expect(store.boards(workspace.publicId).status).toBe("ready"));
  const write = store.createBoard(workspace.publicId, {
    name: "A new one",
    lists: ["To do", "Done"],
  });
  const board = store.board(write.publicId);
  const shown = board.get().board;
  expect(shown?.lists.map(({ name }) => name)).toEqual(["To do", "Done"]);
  board.cards.create({ list: shown?.lists[0]?.publicId ?? "", title: "First" });
  expect(titles(board)).toEqual([["First"], []]);
  expect(names(store.boards(workspace.publicId).boards)).toContain("A new one");
  await write.done;
  board.open();
  await agrees(tab, board);
  expect(titles(board)).toEqual([["First"], []]);
  expect(names(store.boards(workspace.publicId).boards)).toContain("A new one");
});

test("a board that is created offline is there after a reload, and is created when the network is back", async () => {
  const { admin, workspace } = await makeScene(app());
  const options = { outbox: memoryPersistence(), name: "one" };
  const before = connect(app, admin, options);
  before.network.down();
  const { publicId } = before.store.createBoard(workspace.publicId, {
    name: "Later",
    lists: ["One"],
  });
  const stored = () => options.outbox.entries("change/");
  await waitFor(async () => expect(await stored()).toHaveLength(2));
  before.store.close();

  const after = connect(app, admin, options);
  after.network.down();
  const board = after.store.board(publicId);
  board.open();
  await waitFor(() => expect(board.get().board?.lists.map(({ name }) => name)).toEqual(["One"]));
  after.network.up();
  await agrees(after, board);
  expect(await stored()).toEqual([]);
});

test("a board that the service refuses is denied, with the reason", async () => {
  const { workspace } = await makeScene(app());
  const guest = await join(app(), workspace, "guest");
  const { store } = connect(app, guest);
  const write = store.createBoard(workspace.publicId, { name: "No", lists: ["One"] });
  await expect(write.done).rejects.toMatchObject({ status: 403 });
  const board = store.board(write.publicId);
  await waitFor(() =>
    expect(board.get()).toMatchObject({ status: "denied", error: { status: 403 } }),
  );
});

test("views are saved, changed and deleted at once, and offline", async () => {
  const { admin, workspace } = await makeScene(app());
  const { store, client, network } = connect(app, admin);
  const live = store.live.views(workspace.publicId);
  const seen: string[][] = [];
  live.subscribe(() => seen.push(names(live.get().data ?? [])));
  await live.ready();
  const views = store.views(workspace.publicId);
  network.down();
  const first = views.create({ name: "Mine" });
  const second = views.create({ name: "Ours", scope: "workspace" });
  views.update(first.publicId, { name: "My cards" });
  expect(names(live.get().data ?? [])).toEqual(["My cards", "Ours"]);
  network.up();
  await Promise.all([first.done, second.done]);
  const list = async () =>
    names(await client.view.list({ workspacePublicId: workspace.publicId })).toSorted();
  await waitFor(async () => {
    expect(store.mutations().pending).toEqual([]);
    expect(await list()).toEqual(["My cards", "Ours"]);
    expect(names(live.get().data ?? [])).toEqual(["My cards", "Ours"]);
  });
  await views.delete(second.publicId).done;
  expect(names(live.get().data ?? [])).toEqual(["My cards"]);
  await waitFor(async () => expect(await list()).toEqual(["My cards"]));
  // What was made never disappeared until it was deleted.
  const at = seen.findIndex((shown) => shown.includes("Ours"));
  const until = seen.findLastIndex((shown) => shown.includes("Ours"));
  expect(seen.slice(at, until).every((shown) => shown.includes("Ours"))).toBe(true);
});

test("a view that the service refuses is taken back", async () => {
  const { workspace } = await makeScene(app());
  const guest = await join(app(), workspace, "guest");
  const { store } = connect(app, guest);
  const live = store.live.views(workspace.publicId);
  live.subscribe(() => undefined);
  await live.ready();
  const write = store.views(workspace.publicId).create({ name: "No", scope: "workspace" });
  expect(names(live.get().data ?? [])).toEqual(["No"]);
  await expect(write.done).rejects.toMatchObject({ status: 403 });
  await waitFor(() => expect(live.get().data).toEqual([]));
});
