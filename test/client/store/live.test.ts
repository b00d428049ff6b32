import { expect, test } from "vitest";
import { memoryPersistence, type LiveStore } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { connect, makeScene } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
const within = { interval: 20 };

/** The data of something live, which is opened. */
function opened<Data>(live: LiveStore<Data>) {
  live.subscribe(() => undefined);
  return () => live.get().data;
}

test("members, activity, notifications and workspaces are there, and follow their events", async () => {
  const { admin, workspace, board, cards } = await makeScene(app());
  const { publicId } = workspace;
  const member = await join(app(), workspace, "member");
  const { live } = connect(app, member).store;
  const members = opened(live.members(publicId));
  const activity = opened(live.activity(board));
  const notifications = opened(live.notifications());
  const workspaces = opened(live.workspaces());
  await waitFor(() => {
    expect(members()).toHaveLength(2);
    expect(activity()?.items.length).toBeGreaterThan(0);
    expect(workspaces()?.map((one) => one.workspace.publicId)).toEqual([publicId]);
    expect(notifications()).toBeDefined();
  }, within);

  const third = await join(app(), workspace, "guest");
  await waitFor(() => expect(members()).toHaveLength(3), within);
  await admin.rest.put(`/cards/${cards[0]}`, { title: "Changed" });
  await waitFor(() => expect(activity()?.items[0]?.type).toBe("card.updated"), within);
  await admin.rest.put(`/workspaces/${publicId}`, { name: "Renamed" });
  await waitFor(() => expect(workspaces()?.[0]?.workspace.name).toBe("Renamed"), within);
  await admin.rest.put(`/cards/${cards[0]}/members/${member.memberPublicId}`);
  await waitFor(() => expect(notifications()?.items[0]?.isRead).toBe(false), within);
  const notificationPublicId = notifications()?.items[0]?.publicId ?? "";
  await connect(app, member).client.user.readNotification({ notificationPublicId, read: true });
  await waitFor(() => expect(notifications()?.items[0]?.isRead).toBe(true), within);
  await admin.rest.delete(`/workspaces/${publicId}/members/${third.memberPublicId}`);
  await waitFor(() => expect(members()).toHaveLength(2), within);
  const made = (await member.rest.post("/workspaces", { name: "Another" })).body;
  await waitFor(() => {
    expect(workspaces()?.map((one) => one.workspace.publicId)).toContain(made.publicId);
  }, within);
});

test("a board that is opened again at once, as pages change, goes on to follow", async () => {
  const { admin, workspace, board, cards } = await makeScene(app());
  const { store } = connect(app, admin);
  const opens = () => [
    store.board(board).subscribe(() => undefined),
    store.live.members(workspace.publicId).subscribe(() => undefined),
  ];
  const closes = opens();
  await waitFor(() => expect(store.connection()).toBe("online"), within);
  await waitFor(() => expect(store.board(board).get().status).toBe("ready"), within);
  for (const close of closes) close();
  store.board(board).subscribe(() => undefined);
  await admin.rest.put(`/cards/${cards[0]}`, { title: "Changed" });
  const titles = () =>
    store
      .board(board)
      .get()
      .board?.lists.flatMap((list) => list.cards)
      .map(({ title }) => title);
  await waitFor(() => expect(titles()).toContain("Changed"), within);
});

test("they are there offline, and a search finds what is stored", async () => {
  const { admin, workspace, board } = await makeScene(app());
  const { publicId } = workspace;
  const outbox = memoryPersistence();
  const first = connect(app, admin, { outbox });
  const { live } = first.store;
  first.store.openWorkspace(publicId);
  const all = [live.members(publicId), live.activity(board), live.workspaces(), live.user()];
  for (const one of all) one.subscribe(() => undefined);
  const found = opened(live.search(publicId, "b"));
  await waitFor(() => {
    expect(all.map((one) => one.get().status)).toEqual(["ready", "ready", "ready", "ready"]);
    expect(found()?.items.map(({ title }) => title)).toContain("B");
  }, within);
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1), within);
  first.store.close();

  const second = connect(app, admin, { outbox });
  second.network.down();
  const offline = second.store.live;
  const same = [offline.members(publicId), offline.activity(board), offline.workspaces()];
  for (const one of same) one.subscribe(() => undefined);
  const stored = opened(offline.search(publicId, "B"));
  await waitFor(() => {
    expect(same.map((one) => one.get().data)).toEqual(all.slice(0, 3).map((one) => one.get().data));
    expect(stored()?.items).toMatchObject([{ title: "B", boardPublicId: board, type: "card" }]);
  }, within);
  await second.store.clear();
  expect(await outbox.entries("")).toEqual([]);
});

test("a search follows the cards of its workspace, and what cannot be seen is denied", async () => {
  const { admin, workspace, first } = await makeScene(app());
  const { store } = connect(app, admin);
  const found = opened(store.live.search(workspace.publicId, "zebra"));
  await waitFor(() => expect(found()).toEqual({ items: [], hasMore: false }), within);
  await admin.rest.post("/cards", { title: "A zebra", listPublicId: first });
  await waitFor(() => expect(found()?.items[0]?.title).toBe("A zebra"), within);

  const other = await makeScene(app());
  const members = store.live.members(other.workspace.publicId);
  members.subscribe(() => undefined);
  await waitFor(() => expect(members.get().status).toBe("denied"), within);
});

test("views, their cards and their groups follow what they show", async () => {
  const { admin, workspace, board, cards } = await makeScene(app());
  const { publicId: workspacePublicId } = workspace;
  const { store, client } = connect(app, admin);
  const views = opened(store.live.views(workspacePublicId));
  await waitFor(() => expect(views()).toEqual([]), within);
  const view = await client.view.create({
    workspacePublicId,
    name: "Urgent",
    scope: "board",
    boardPublicId: board,
    filter: { field: "priority", op: "isAnyOf", value: ["high", "urgent"] },
    groupBy: { field: "priority" },
  });
  await waitFor(() => expect(views()?.map(({ name }) => name)).toEqual(["Urgent"]), within);
  const shown = opened(store.live.viewCards(view));
  const urgent = opened(store.live.viewCards(view, "urgent"));
  const groups = opened(store.live.viewGroups(view));
  await waitFor(() => expect(groups()?.total).toBe(0), within);
  const [a = "", b = ""] = cards;
  await client.card.update({ cardPublicId: a, priority: "urgent" });
  await client.card.update({ cardPublicId: b, priority: "high" });
  await waitFor(() => {
    expect(
      shown()
        ?.items.map(({ publicId }) => publicId)
        .toSorted(),
    ).toEqual([a, b].toSorted());
    expect(urgent()?.items.map(({ publicId }) => publicId)).toEqual([a]);
    expect(groups()).toMatchObject({ total: 2, groups: [{ count: 1 }, { count: 1 }] });
  }, within);
  await client.view.update({ viewPublicId: view.publicId, name: "Soon", filter: null });
  await waitFor(() => {
    expect(views()?.map(({ name }) => name)).toEqual(["Soon"]);
    expect(shown()?.items).toHaveLength(3);
  }, within);
  // The events of private views are in the feed of their owner.
  await client.view.create({ workspacePublicId, name: "Mine" });
  await waitFor(() => expect(views()?.map(({ name }) => name)).toEqual(["Mine", "Soon"]), within);
});
