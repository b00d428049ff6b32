import { expect, test } from "vitest";
import { newPublicId } from "../../../src/client/index.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { connect, makeScene, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

async function opened() {
  const scene = await makeScene(app());
  const { publicId } = scene.workspace;
  const other = await makeBoard(scene.workspace);
  const tab = connect(app, scene.admin);
  const close = tab.store.openWorkspace(publicId);
  const boards = () => tab.store.boards(publicId);
  await waitFor(() => expect(boards().status).toBe("ready"));
  return { ...scene, ...tab, other: other.publicId, publicId, close, boards };
}

const idsOf = ({ boards }: { boards: readonly { publicId: string }[] }) =>
  boards.map(({ publicId }) => publicId);

test("all boards of a workspace are opened from one snapshot, as `board.get` shows them", async () => {
  const { client, network, store, board, other, boards, close, second, cards } = await opened();
  expect(idsOf(boards()).toSorted()).toEqual([board, other].toSorted());
  const reads = network.requests.filter(({ url }) => /snapshot|board\.get|board\.list/.test(url));
  expect(reads.map(({ url }) => /snapshot/.test(url))).toEqual([true]);
  for (const shown of boards().boards) {
    const { cursor: _, ...fresh } = await client.board.get({ boardPublicId: shown.publicId });
    expect(shown).toEqual(fresh);
    expect(store.board(shown.publicId).get().board).toBe(shown);
  }
  const before = boards();
  expect(boards()).toBe(before);
  const one = store.board(board);
  const write = one.cards.move(cards[0] ?? "", { list: second });
  expect(titles(one)).toEqual([["B", "C"], ["A"], []]);
  expect(boards().boards.find(({ publicId }) => publicId === other)).toBe(
    before.boards.find(({ publicId }) => publicId === other),
  );
  await write.done;
  close();
});

test("boards that are created, renamed, archived and deleted change the list", async () => {
  const { admin, workspace, board, other, publicId, store, boards } = await opened();
  let calls = 0;
  store.onBoards(() => calls++);
  const third = await makeBoard(workspace);
  await waitFor(() => expect(idsOf(boards())).toContain(third.publicId));
  await makeCard(admin, third.lists[0] ?? "", "Followed");
  await waitFor(() => {
    expect(titles(store.board(third.publicId))?.[0]).toEqual(["Followed"]);
  });
  await admin.rest.put(`/boards/${third.publicId}`, { name: "A first one" });
  await waitFor(() => expect(idsOf(boards())[0]).toBe(third.publicId));
  await admin.rest.put(`/boards/${third.publicId}`, { isArchived: true });
  await waitFor(() => expect(idsOf(boards())).toHaveLength(2));
  await admin.rest.put(`/boards/${third.publicId}`, { isArchived: false });
  await waitFor(() => expect(idsOf(boards())).toHaveLength(3));
  await admin.rest.delete(`/boards/${third.publicId}`);
  await waitFor(() => expect(idsOf(boards()).toSorted()).toEqual([board, other].toSorted()));
  expect(calls).toBeGreaterThan(0);
  expect(store.boards(publicId).error).toBeUndefined();
});

test("a board that was requested before it was created is in the list", async () => {
  const { admin, publicId, store, boards } = await opened();
  const made = newPublicId();
  const close = store.board(made).open();
  close();
  await admin.rest.post(`/workspaces/${publicId}/boards`, { publicId: made, name: "Later" });
  await waitFor(() => expect(idsOf(boards())).toContain(made));
});

test("a board that is created while the others are read is in the list", async () => {
  const { workspace, admin, board } = await makeScene(app());
  const { store, network } = connect(app, admin);
  const { publicId } = workspace;
  const created: string[] = [];
  store.on("board.created", (event) => created.push(event.boardPublicId ?? ""));
  store.board(board).open();
  await store.board(board).ready();
  const release = network.hold("/snapshot");
  store.openWorkspace(publicId);
  await waitFor(() => expect(network.held).toBe(1));
  const other = await makeBoard(workspace);
  await waitFor(() => expect(created).toEqual([other.publicId]));
  await release();
  await waitFor(() => expect(idsOf(store.boards(publicId))).toContain(other.publicId));
});

test("a snapshot that arrives after the sign-out shows nothing", async () => {
  const { workspace, admin, board } = await makeScene(app());
  const { store, outbox, network } = connect(app, admin);
  const release = network.hold("/snapshot");
  store.openWorkspace(workspace.publicId);
  await waitFor(() => expect(network.held).toBe(1));
  await store.clear();
  await release();
  expect(store.boards(workspace.publicId)).toMatchObject({ status: "loading", boards: [] });
  expect(store.board(board).get().status).toBe("loading");
  expect(await outbox.entries("")).toEqual([]);
});

test("a workspace without boards is followed", async () => {
  const workspace = await makeWorkspace(app());
  const { store } = connect(app, workspace.admin);
  const { publicId } = workspace;
  store.openWorkspace(publicId);
  await waitFor(() => expect(store.boards(publicId).status).toBe("ready"));
  expect(store.boards(publicId).boards).toEqual([]);
  const { publicId: made } = await makeBoard(workspace);
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([made]));
});

test("boards that a member loses and gains leave the list and return", async () => {
  const { workspace, board } = await makeScene(app());
  const member = await join(app(), workspace, "member");
  const { publicId } = workspace;
  const { store } = connect(app, member);
  store.openWorkspace(publicId);
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([board]));
  const { rest } = workspace.admin;
  await rest.put(`/boards/${board}`, { visibility: "restricted" });
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([]));
  await rest.put(`/boards/${board}`, { visibility: "private" });
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([board]));
  await rest.delete(`/workspaces/${publicId}/members/${member.memberPublicId}`);
  await waitFor(() => expect(store.boards(publicId).status).toBe("denied"));
  expect(store.boards(publicId).boards).toEqual([]);
});

test("a workspace that cannot be seen is denied, and its boards are not read", async () => {
  const workspace = await makeWorkspace(app());
  const stranger = await makeWorkspace(app());
  const { store } = connect(app, stranger.admin);
  store.openWorkspace(workspace.publicId);
  await waitFor(() => {
    expect(store.boards(workspace.publicId)).toMatchObject({
      status: "denied",
      error: { status: 403 },
    });
  });
});

test("a workspace is opened again when its snapshot broke, and after it was closed", async () => {
  const { workspace, board, admin } = await makeScene(app());
  const { network, store } = connect(app, admin);
  let broken = 0;
  network.intercept = async (request) => {
    if (!request.url.includes("/snapshot") || broken++ > 0) return undefined;
    const response = await app().fetch(request);
    const text = await response.text();
    return new Response(text.slice(0, text.lastIndexOf('{"kind":"end"')), response);
  };
  const { publicId } = workspace;
  const close = store.openWorkspace(publicId);
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([board]));
  expect(broken).toBe(2);
  close();
  expect(store.boards(publicId).status).toBe("loading");
  store.openWorkspace(publicId);
  await waitFor(() => expect(idsOf(store.boards(publicId))).toEqual([board]));
});

test("a board that exceeds the size of an answer is read as a whole", async () => {
  const { board, admin } = await makeScene(app());
  const { client, network, store } = connect(app, admin);
  // The service shows the first cards of such a board, and counts all.
  network.intercept = async (request) => {
    if (!request.url.includes("board.get")) return undefined;
    const response = await app().fetch(request);
    const [found] = JSON.parse(await response.text());
    found.result.data.lists[0].cards.length = 1;
    return Response.json([found]);
  };
  const one = store.board(board);
  one.open();
  await one.ready();
  expect(titles(one)).toEqual([["A", "B", "C"], [], []]);
  network.intercept = async () => undefined;
  await makeCard(admin, one.get().board?.lists[0]?.publicId ?? "", "D");
  await waitFor(() => expect(titles(one)?.[0]).toEqual(["A", "B", "C", "D"]));
  const { cursor: _, ...fresh } = await client.board.get({ boardPublicId: board });
  expect(one.get().board).toEqual(fresh);
});
