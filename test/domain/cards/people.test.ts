import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("card.toggleMember assigns and unassigns a member, each with one event", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const card = await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  const member = await join(app(), workspace, "member");
  const { memberPublicId } = member;
  const path = `/cards/${card}/members/${memberPublicId}`;
  expect((await admin.rest.put(path)).body).toMatchObject({
    newMember: true,
    members: [{}],
  });
  expect((await member.rest.get("/users/me/cards")).body.items).toHaveLength(1);
  const toggle = admin.trpc.card.toggleMember.mutate({ cardPublicId: card, memberPublicId });
  expect(await toggle).toMatchObject({ newMember: false, members: [] });
  const events = await eventsIn(app(), workspace.publicId);
  expect(events.slice(-2)).toMatchObject([
    { type: "card.member_added", data: { member: { publicId: memberPublicId } } },
    { type: "card.member_removed" },
  ]);
  expect(JSON.stringify(events.slice(-2).map(({ data }) => data))).not.toContain(member.email);
});

test("card.toggleMember refuses removed members, members of other workspaces, and members who cannot see the board", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const card = await makeCard(admin, board.lists[0] ?? "");
  const gone = await join(app(), workspace, "member");
  const member = await join(app(), workspace, "member");
  const stranger = await join(app(), await makeWorkspace(app()), "member");
  const put = async (id: string) => (await admin.rest.put(`/cards/${card}/members/${id}`)).status;
  expect(await put(stranger.memberPublicId)).toBe(404);
  await admin.rest.delete(`/workspaces/${workspace.publicId}/members/${gone.memberPublicId}`);
  expect(await put(gone.memberPublicId)).toBe(404);
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  expect(await put(member.memberPublicId)).toBe(409);
  await admin.rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`);
  expect(await put(member.memberPublicId)).toBe(200);
});

test("card.create refuses assignees who cannot see the restricted board", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  const manager = await join(app(), workspace, "admin");
  const create = (...people: { memberPublicId: string }[]) =>
    admin.rest.post("/cards", {
      title: "Card",
      listPublicId: board.lists[0],
      memberPublicIds: people.map(({ memberPublicId }) => memberPublicId),
    });
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  expect((await create(manager)).status).toBe(200);
  const { status, body } = await create(manager, member);
  expect({ status, path: body.issues[0].path }).toEqual({ status: 409, path: ["memberPublicIds"] });
  await admin.rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`);
  expect((await create(manager, member)).body.members).toHaveLength(2);
});

test("card.watch is stored once, deleted once, and emits no event", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const card = await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  const guest = await join(app(), workspace, "guest");
  const before = (await eventsIn(app(), workspace.publicId)).length;
  const where = { card: { publicId: card }, user: { publicId: guest.publicId } };
  for (const watching of [true, true, false, false]) {
    const { body } = await guest.rest.put(`/cards/${card}/watch`, { watching });
    expect(body).toMatchObject({ success: true, isWatching: watching, version: 1 });
    expect(await app().db.reader.cardWatcher.count({ where })).toBe(Number(watching));
  }
  expect((await guest.rest.put(`/cards/${card}/watch`, {})).status).toBe(400);
  expect((await eventsIn(app(), workspace.publicId)).length).toBe(before);
});

test("user.cards shows the caller's cards, earliest due date first, without hidden ones", async () => {
  const workspace = await makeWorkspace(app());
  const other = await makeWorkspace(app(), workspace.admin);
  const { admin } = workspace;
  const { body: members } = await admin.rest.get(`/workspaces/${workspace.publicId}/members`);
  const { body: others } = await admin.rest.get(`/workspaces/${other.publicId}/members`);
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const [far = ""] = (await makeBoard(other)).lists;
  const add = async (listPublicId: string, me: string, dueDate: string | null) => {
    const body = { title: "Mine", listPublicId, memberPublicIds: [me], dueDate };
    return (await admin.rest.post("/cards", body)).body.publicId;
  };
  const [me, meThere] = [members.items[0].publicId, others.items[0].publicId];
  const never = await add(list, me, null);
  const late = await add(list, me, "2026-12-24T00:00:00Z");
  const soon = await add(far, meThere, "2026-12-01T00:00:00Z");
  await makeCard(admin, list, "Unassigned");
  const read = async (query = "") => {
    const { body } = await admin.rest.get(`/users/me/cards${query}`);
    return body.items.map(({ publicId }: { publicId: string }) => publicId);
  };
  expect(await read()).toEqual([soon, late, never]);
  expect(await read("?due=none")).toEqual([never]);
  expect(await read(`?workspacePublicId=${other.publicId}`)).toEqual([soon]);
  const first = await admin.trpc.user.cards.query({ limit: 2 });
  const cursor = first.nextCursor ?? "";
  const second = await admin.trpc.user.cards.query({ limit: 2, cursor });
  expect([...first.items, ...second.items].map(({ publicId }) => publicId)).toEqual([
    soon,
    late,
    never,
  ]);
  const { body: key } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "there",
    workspacePublicId: other.publicId,
    permissions: ["card:view"],
  });
  const bound = await app().call({ method: "GET", path: "/users/me/cards", token: key.key });
  expect(bound.body.items).toHaveLength(1);

  const member = await join(app(), workspace, "member");
  await admin.rest.put(`/cards/${late}/members/${member.memberPublicId}`);
  const count = async () => (await member.rest.get("/users/me/cards")).body.items.length;
  expect(await count()).toBe(1);
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  expect(await count()).toBe(0);
});

test("card.get shows whether the caller watches the card; card.watch changes it for the caller alone", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const card = await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  const guest = await join(app(), workspace, "guest");
  const watching = async () => [
    (await admin.trpc.card.get.query({ cardPublicId: card })).isWatching,
    (await guest.rest.get(`/cards/${card}`)).body.isWatching,
    (await guest.rest.get(`/workspaces/${workspace.publicId}/cards/1`)).body.isWatching,
  ];
  expect(await watching()).toEqual([false, false, false]);
  await guest.rest.put(`/cards/${card}/watch`, { watching: true });
  expect(await watching()).toEqual([false, true, true]);
  await guest.rest.put(`/cards/${card}/watch`, { watching: false });
  expect(await watching()).toEqual([false, false, false]);
});

test("a card that is created or copied with the caller assigned says that they watch it", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const listPublicId = (await makeBoard(workspace)).lists[0];
  const { body: home } = await rest.get(`/workspaces/${workspace.publicId}`);
  const memberPublicIds = [home.memberPublicId];
  const { body: made } = await rest.post("/cards", {
    title: "Mine",
    listPublicId,
    memberPublicIds,
  });
  const { body: copy } = await rest.post(`/cards/${made.publicId}/duplicate`, {
    withMembers: true,
  });
  const { body: bare } = await rest.post(`/cards/${made.publicId}/duplicate`);
  for (const [card, isWatching] of [
    [made, true],
    [copy, true],
    [bare, false],
  ] as const) {
    expect(card.isWatching).toBe(isWatching);
    expect((await rest.get(`/cards/${card.publicId}`)).body).toEqual(card);
  }
});
