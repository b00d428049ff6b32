import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async (titles = ["a", "b"]) => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const user = workspace.admin;
  const card = await makeCard(user, board.lists[0] ?? "");
  const { body } = await user.rest.post(`/cards/${card}/checklists`, {
    name: "All",
    items: titles,
  });
  const items: { publicId: string; title: string }[] = body.items;
  const order = async () =>
    (await user.trpc.card.get.query({ cardPublicId: card })).checklists[0]?.items.map(
      ({ title }) => title,
    );
  const emitted = async (type: string) =>
    findEvents(app(), { where: { cardPublicId: card, type } });
  return {
    workspace,
    user,
    card,
    checklist: String(body.publicId),
    path: `/checklists/${body.publicId}/items`,
    items,
    order,
    emitted,
  };
};

describe("checklist.items", () => {
  test("lists the items page by page in order, also when they move and go", async () => {
    const { user, card, checklist, items } = await start(["a", "b", "c", "d", "e"]);
    const path = `/cards/${card}/checklists/${checklist}/items`;
    const first = await user.rest.get(`${path}?limit=2`);
    expect(first.body.items).toEqual(items.slice(0, 2));
    await user.rest.delete(`/checklists/items/${items[1]?.publicId}`);
    await user.rest.put(`/checklists/items/${items[4]?.publicId}`, { index: 2, completed: true });
    const cursor = first.body.nextCursor;
    const second = await user.trpc.checklist.items.query({
      cardPublicId: card,
      checklistPublicId: checklist,
      cursor,
    });
    expect(second.items.map(({ title, completed }) => [title, completed])).toEqual([
      ["c", false],
      ["e", true],
      ["d", false],
    ]);
    expect(second.nextCursor).toBe(null);
    const { body } = await user.rest.get(`/cards/${card}`);
    expect(body.checklists[0]).toMatchObject({ itemCount: 4, items: { length: 4 } });
  });

  test("is 404 below another card, and 400 for a cursor of another checklist", async () => {
    const { user, card, checklist } = await start(["a", "b"]);
    const other = await start();
    const path = `/checklists/${checklist}/items`;
    expect((await user.rest.get(`/cards/${other.card}${path}`)).status).toBe(404);
    expect((await other.user.rest.get(`/cards/${card}${path}`)).status).toBe(403);
    const { body } = await user.rest.get(`/cards/${card}${path}?limit=1`);
    const elsewhere = `/cards/${other.card}/checklists/${other.checklist}/items`;
    const reply = await other.user.rest.get(`${elsewhere}?cursor=${body.nextCursor}`);
    expect([reply.status, reply.body.issues[0].code]).toEqual([400, "cursor_unknown"]);
  });
});

describe("checklist.addItem", () => {
  test("adds at the end, at the index, or at the end when the index is past it", async () => {
    const { user, path, checklist, order } = await start();
    expect(await user.rest.post(path, { title: " end " })).toMatchObject({
      status: 200,
      body: { title: "end", completed: false },
    });
    await user.rest.post(path, { title: "first", index: 0 });
    await user.trpc.checklist.addItem.mutate({
      checklistPublicId: checklist,
      title: "third",
      index: 2,
    });
    await user.rest.post(path, { title: "last", index: 500 });
    expect(await order()).toEqual(["first", "a", "third", "b", "end", "last"]);
  });

  test("called concurrently with one index gives distinct positions", async () => {
    const { user, path, order } = await start();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => user.rest.post(path, { title: `${n}`, index: 1 })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const all = (await order()) ?? [];
    expect([all[0], all.at(-1), new Set(all).size]).toEqual(["a", "b", 14]);
  });

  test("announces itself once, with its checklist and its card", async () => {
    const { user, path, card, checklist, emitted } = await start();
    const { body } = await user.rest.post(path, { title: "New" });
    const { cardPublicId, checklistPublicId, index, ...checklistItem } = body;
    expect({ cardPublicId, checklistPublicId, index }).toEqual({
      cardPublicId: card,
      checklistPublicId: checklist,
      index: 2,
    });
    expect(await emitted("checklist_item.created")).toMatchObject([
      {
        data: { checklistItem, checklist: { publicId: checklist }, card: { publicId: card } },
      },
    ]);
  });

  test("is 409 past 500 items, 400 out of bounds, 404 for an unknown checklist", async () => {
    const { user, path } = await start(Array(500).fill("x"));
    expect((await user.rest.post(path, { title: "x" })).status).toBe(409);
    for (const body of [
      {},
      { title: " " },
      { title: "x".repeat(501) },
      { title: "x", index: -1 },
    ]) {
      expect((await user.rest.post(path, body)).status).toBe(400);
    }
    expect((await user.rest.post("/checklists/nowhere00000/items", { title: "x" })).status).toBe(
      404,
    );
  });
});

describe("checklist.deleteItem", () => {
  test("deletes the item once, and leaves the others in order", async () => {
    const { user, items, order, emitted } = await start(["a", "b", "c"]);
    const path = `/checklists/items/${items[1]?.publicId}`;
    expect(await user.rest.delete(path)).toMatchObject({ status: 200, body: { success: true } });
    expect(await order()).toEqual(["a", "c"]);
    expect((await user.rest.delete(path)).status).toBe(404);
    expect(await emitted("checklist_item.deleted")).toMatchObject([
      { data: { checklistItem: { publicId: items[1]?.publicId, title: "" } } },
    ]);
  });

  test("of one item by many at once succeeds once", async () => {
    const { user, items, emitted } = await start();
    const [item] = items;
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => user.rest.delete(`/checklists/items/${item?.publicId}`)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(5);
    expect(await emitted("checklist_item.deleted")).toHaveLength(1);
  });

  test("needs card:edit in the item's own workspace", async () => {
    const { workspace, items } = await start();
    const path = `/checklists/items/${items[0]?.publicId}`;
    const { admin: stranger } = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    expect([
      (await stranger.rest.delete(path)).status,
      (await guest.rest.delete(path)).status,
    ]).toEqual([403, 403]);
  });
});
