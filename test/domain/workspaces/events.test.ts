import { describe, expect, test } from "vitest";
import { setOverride, setRole } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { follow, write } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { restoreLog } from "../../support/faults.ts";
import { keyOf } from "../../kernel/access/key-scene.ts";

const app = useApp();
const dayMs = 24 * 60 * 60_000;

const typesOf = (items: { type: string }[]) => items.map(({ type }) => type);
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 1 });
  const [list = ""] = board.lists;
  const path = `/workspaces/${workspace.publicId}/events`;
  const { rest } = workspace.admin;
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  const since = async (who: As = workspace.admin, query = "") =>
    (await follow(who, workspace.publicId, { cursor, query })).items;
  return { workspace, board, list, path, rest, cursor, since };
}

describe("the feed", () => {
  test("returns events in order and in their documented form, over REST and tRPC", async () => {
    const { workspace, board, list, rest, since, cursor } = await scene();
    const card = await makeCard(workspace.admin, list, "Plant");
    await rest.put(`/cards/${card}`, { title: "Plant the tree" });
    await rest.put(`/workspaces/${workspace.publicId}`, { description: "All of it" });
    const items = await since();
    expect(typesOf(items)).toEqual(["card.created", "card.updated", "workspace.updated"]);
    expect(items[1]).toEqual({
      id: expect.stringMatching(/^\w{12}$/),
      order: expect.stringMatching(/^[0-9a-z]+$/),
      type: "card.updated",
      timestamp: expect.stringMatching(/Z$/),
      workspacePublicId: workspace.publicId,
      boardPublicId: board.publicId,
      actor: { type: "user", publicId: workspace.admin.publicId, name: "Admin" },
      data: expect.objectContaining({
        card: expect.objectContaining({ publicId: card, title: "Plant the tree" }),
        list: { publicId: list, name: "One" },
      }),
      changes: { title: { from: "Plant", to: "Plant the tree" } },
    });
    expect(items[2]).not.toHaveProperty("boardPublicId");
    const { items: same } = await workspace.admin.trpc.workspace.events.query({
      workspacePublicId: workspace.publicId,
      cursor,
    });
    expect(same).toEqual(items);
  });

  test("begins with the workspace itself", async () => {
    const { workspace } = await scene();
    const { items } = await follow(workspace.admin, workspace.publicId);
    expect(typesOf(items).slice(0, 2)).toEqual(["workspace.created", "board.created"]);
  });

  test("is the same for every page size, and its cursor never loops", async () => {
    const { workspace, path, rest } = await scene();
    await write(app(), workspace.publicId, 25);
    const { items: all } = await follow(workspace.admin, workspace.publicId);
    for (const limit of [1, 3, 100]) {
      const seen: any[] = [];
      let cursor = "";
      for (let calls = 0; calls <= all.length; calls++) {
        const { body } = await rest.get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        cursor = body.nextCursor;
        expect(cursor).toBeTypeOf("string");
        if (body.items.length === 0) break;
        expect(body.items.length).toBeLessThanOrEqual(limit);
        seen.push(...body.items);
      }
      expect(seen).toEqual(all);
    }
  });

  test("continues from an empty page", async () => {
    const { workspace, list, path, rest } = await scene();
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const { body: empty } = await rest.get(`${path}?cursor=${cursor}`);
    expect(empty.items).toEqual([]);
    await makeCard(workspace.admin, list);
    const { body } = await rest.get(`${path}?wait=10&cursor=${empty.nextCursor}`);
    expect(typesOf(body.items)).toEqual(["card.created"]);
  });

  test("returns with `now` only later events", async () => {
    const { workspace, list, path, rest } = await scene();
    const { body: now } = await rest.get(`${path}?cursor=now`);
    expect(now.items).toEqual([]);
    await makeCard(workspace.admin, list);
    const { body } = await rest.get(`${path}?wait=10&cursor=${now.nextCursor}`);
    expect(typesOf(body.items)).toEqual(["card.created"]);
  });
});

describe("a filter", () => {
  test("of types skips other types", async () => {
    const { workspace, path, rest, cursor, list } = await scene();
    await write(app(), workspace.publicId, 2_500);
    await makeCard(workspace.admin, list);
    const { body: first } = await rest.get(`${path}?limit=1&cursor=${cursor}&types=card.created`);
    expect(typesOf(first.items)).toEqual(["card.created"]);
    const { body: past } = await rest.get(`${path}?cursor=${cursor}&types=list.created`);
    expect(past.items).toEqual([]);
    const { items } = await follow(workspace.admin, workspace.publicId, {
      cursor: past.nextCursor,
    });
    expect(items).toEqual([]);
  });

  test("of a board returns its events, those on it, and cards that leave it", async () => {
    const { workspace, board, list, rest, since } = await scene();
    const other = await makeBoard(workspace, { lists: ["There"] });
    const card = await makeCard(workspace.admin, list);
    await makeCard(workspace.admin, other.lists[0] ?? "");
    await rest.put(`/cards/${card}`, { listPublicId: other.lists[0] });
    await rest.put(`/boards/${board.publicId}`, { name: "Renamed" });
    const items = await since(workspace.admin, `&boardPublicId=${board.publicId}`);
    expect(typesOf(items)).toEqual(["card.created", "card.moved", "board.updated"]);
  });

  test("with an unknown type or board is rejected", async () => {
    const { path, rest } = await scene();
    const { body } = await makeWorkspace(app()).then((other) =>
      other.admin.rest.post(`/workspaces/${other.publicId}/boards`, { name: "Theirs" }),
    );
    expect((await rest.get(`${path}?boardPublicId=${body.publicId}`)).status).toBe(404);
    const wrong = await rest.get(`${path}?types=card.exploded`);
    expect(wrong.status).toBe(400);
    expect(wrong.body.issues[0].path).toEqual(["types", 0]);
    expect((await rest.get(`${path}?types=`)).status).toBe(400);
  });
});

describe("visibility of events", () => {
  test("follows comment:view, card:view and member:view", async () => {
    const { workspace, list, rest, since } = await scene();
    const guest = await join(app(), workspace, "guest");
    const card = await makeCard(workspace.admin, list);
    await rest.post(`/cards/${card}/comments`, { comment: "Hm" });
    const own = ["member.joined", "access.gained"];
    expect(typesOf(await since(guest))).toEqual([...own, "card.created", "comment.created"]);
    await setOverride(app(), guest.memberPublicId, "comment:view", false);
    const reduced = await since(guest);
    expect(typesOf(reduced)).toEqual([...own, "card.created", "comment.created"]);
    const { data, actor, changes } = reduced.at(-1);
    expect(data).toMatchObject({ card: { publicId: card, version: 2, commentCount: 0 } });
    expect(Object.keys(data).toSorted()).toEqual(["board", "card", "list"]);
    expect({ actor, changes }).toEqual({
      actor: { type: "system", publicId: null, name: "system" },
      changes: undefined,
    });
    await setOverride(app(), guest.memberPublicId, "card:view", false);
    expect(typesOf(await since(guest))).toEqual(own);
    await setOverride(app(), guest.memberPublicId, "member:view", false);
    const hidden = await since(guest);
    expect(typesOf(hidden)).toEqual(own);
    expect(hidden[0].data).toEqual({ memberPublicId: guest.memberPublicId });
    const shared = ["member.joined", "card.created", "comment.created"];
    expect(typesOf(await since())).toEqual(shared);
  });

  test("is decided at the time of the read, also for earlier events", async () => {
    const { workspace, list, since } = await scene();
    const member = await join(app(), workspace, "member");
    await makeCard(workspace.admin, list);
    await setOverride(app(), member.memberPublicId, "card:view", false);
    expect(typesOf(await since(member))).not.toContain("card.created");
    await setRole(app(), member.memberPublicId, "admin");
    await setOverride(app(), member.memberPublicId, "card:view", true);
    expect(typesOf(await since(member))).toContain("card.created");
  });

  test("hides restricted boards from members who are not on them, until they are added", async () => {
    const { workspace, board, list, rest, since } = await scene();
    const member = await join(app(), workspace, "member");
    await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await makeCard(workspace.admin, list, "Secret");
    const events: { type: string }[] = await since(member);
    const own = events.filter(({ type }) => type.startsWith("access."));
    expect(own).toMatchObject([
      { type: "access.gained", data: { boardPublicId: board.publicId } },
      { type: "access.lost", data: { boardPublicId: board.publicId } },
    ]);
    const seen = JSON.stringify(events.filter((event) => !own.includes(event)));
    expect(seen).not.toContain("Secret");
    expect(seen).not.toContain(board.publicId);
    const denied = await member.rest.get(
      `/workspaces/${workspace.publicId}/events?boardPublicId=${board.publicId}`,
    );
    expect(denied.status).toBe(404);
    await rest.put(`/boards/${board.publicId}/members/${member.memberPublicId}`, {});
    expect(JSON.stringify(await since(member))).toContain("Secret");
  });

  test("never includes an address, not even for the inviter", async () => {
    const { workspace, rest, since } = await scene();
    await rest.put(`/workspaces/${workspace.publicId}`, { showEmailsToMembers: false });
    const guest = await join(app(), workspace, "guest");
    await rest.post(`/workspaces/${workspace.publicId}/members/invite`, {
      email: "someone.new@example.com",
    });
    for (const who of [guest, workspace.admin]) {
      const items = await since(who);
      expect(typesOf(items)).toEqual(expect.arrayContaining(["member.joined", "member.invited"]));
      expect(JSON.stringify(items)).not.toContain("@example.com");
    }
  });

  test("ends with the membership, and excludes strangers", async () => {
    const { workspace, path, rest } = await scene();
    const member = await join(app(), workspace, "member");
    expect((await member.rest.get(path)).status).toBe(200);
    await rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`);
    expect((await member.rest.get(path)).status).toBe(403);
    const stranger = await makeWorkspace(app());
    expect((await stranger.admin.rest.get(path)).status).toBe(403);
  });

  test("is limited by the scope of a key", async () => {
    const { workspace, board, list, path, since } = await scene();
    const { admin } = workspace;
    const card = await makeCard(admin, list);
    await admin.rest.post(`/cards/${card}/comments`, { comment: "Hm" });
    const some = await keyOf(app(), admin, { permissions: ["workspace:view", "card:view"] });
    const reduced = await since(some);
    expect(typesOf(reduced)).toEqual(["card.created", "comment.created"]);
    expect(JSON.stringify(reduced)).not.toContain("Hm");
    const reading = await keyOf(app(), admin, { readOnly: true });
    expect(typesOf(await since(reading))).toEqual(["card.created", "comment.created"]);
    const other = await makeWorkspace(app(), admin);
    const elsewhere = await keyOf(app(), admin, { workspacePublicId: other.publicId });
    expect((await elsewhere.rest.get(path)).status).toBe(403);
    const onBoard = await keyOf(app(), admin, { boardPublicId: board.publicId });
    const { publicId } = await makeBoard(workspace);
    await admin.rest.put(`/boards/${publicId}`, { name: "Another board" });
    expect(typesOf(await since(onBoard))).toEqual(["card.created", "comment.created"]);
  });

  test("of a moved board: both workspaces get the move, and each has its own events", async () => {
    const { workspace, board, list, rest, since } = await scene();
    const other = await makeWorkspace(app(), workspace.admin);
    const card = await makeCard(workspace.admin, list);
    await rest.post(`/boards/${board.publicId}/move`, { workspacePublicId: other.publicId });
    await rest.put(`/cards/${card}`, { title: "Over there" });
    expect(typesOf(await since())).toEqual(["card.created", "board.moved", "access.lost"]);
    const there = await follow(workspace.admin, other.publicId);
    expect(typesOf(there.items)).toEqual([
      "workspace.created",
      "board.moved",
      "access.gained",
      "card.updated",
    ]);
  });
});

describe("a cursor", () => {
  test("that is invalid or of another workspace is 400", async () => {
    const { path, rest } = await scene();
    const other = await scene();
    for (const cursor of ["nonsense", other.cursor, "v1.AAAA"]) {
      const { status, body } = await rest.get(`${path}?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        { message: expect.any(String), path: ["cursor"], code: "cursor_unknown" },
      ]);
    }
  });

  test("from before a restored backup is 400", async () => {
    const { path, rest, workspace } = await scene();
    const ids = await write(app(), workspace.publicId, 1);
    const before = (await rest.get(`${path}?cursor=now`)).body.nextCursor;
    await write(app(), workspace.publicId, 2);
    const ahead = (await rest.get(`${path}?cursor=now`)).body.nextCursor;
    await restoreLog(app(), workspace.publicId, 2);
    const expectAhead = async () => {
      const { status, body } = await rest.get(`${path}?cursor=${ahead}`);
      expect([status, body.issues[0].code]).toEqual([400, "cursor_ahead"]);
    };
    await expectAhead();
    // The numbers of the lost events are given again.
    const later = await write(app(), workspace.publicId, 4);
    await expectAhead();
    expect(idsOf((await rest.get(`${path}?cursor=${before}`)).body.items)).toEqual(later);
    const { items } = await follow(workspace.admin, workspace.publicId);
    expect(idsOf(items)).toEqual(expect.arrayContaining([...ids, ...later]));
  });
});

test("the last parts of cursors sort like the events, which have them as order", async () => {
  const { path, rest, workspace, list } = await scene();
  const orderOf = (cursor: string) => cursor.slice(cursor.lastIndexOf(".") + 1);
  let { cursor } = await follow(workspace.admin, workspace.publicId);
  const start = cursor;
  // Several events of one transaction, and one transaction for each of several events.
  await write(app(), workspace.publicId, 40);
  for (let round = 0; round < 3; round++) await write(app(), workspace.publicId, 1);
  const orders = [orderOf(cursor)];
  for (let page = 0; page < 43; page++) {
    const { body } = await rest.get(`${path}?limit=1&cursor=${cursor}`);
    cursor = body.nextCursor;
    orders.push(orderOf(cursor));
    expect(body.items.map(({ order }: { order: string }) => order)).toEqual(orders.slice(-1));
  }
  expect(new Set(orders).size).toBe(44);
  expect(orders.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(orders);
  // A page without a visible event has the same order as the last event.
  const { body: empty } = await rest.get(`${path}?types=member.removed&cursor=${start}`);
  expect(orderOf(empty.nextCursor)).toBe(orders.at(-1));
  const { headers } = await rest.post("/cards", { title: "New", listPublicId: list });
  const { body: last } = await rest.get(`${path}?cursor=${cursor}`);
  expect(orderOf(last.nextCursor)).toBe(orderOf(headers.get("feed-cursor") ?? ""));
});

// Last, because it changes the clock.
test("events are available for EVENT_DAYS, and an older cursor is 400 with a hint", async () => {
  const { workspace, list, path, cursor } = await scene();
  const old = await makeCard(workspace.admin, list);
  app().advance(91 * dayMs);
  const { body } = await app().call({
    method: "POST",
    path: "/auth/login",
    body: { email: workspace.admin.email, password: "a password for tests" },
  });
  const admin = as(app(), body.accessToken);
  await makeCard(admin, list, "New");
  const { status, body: refused } = await admin.rest.get(`${path}?cursor=${cursor}`);
  expect(status).toBe(400);
  expect(refused.issues).toEqual([
    { message: expect.stringContaining("90 days"), path: ["cursor"], code: "cursor_expired" },
  ]);
  const { items } = await follow(admin, workspace.publicId);
  expect(typesOf(items)).toEqual(["card.created"]);
  expect(JSON.stringify(items)).not.toContain(old);
});
