import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** A board whose second list is full: two cards, a limit of two, and a mode. */
async function scene(wipMode = "block") {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { publicId: board, lists } = await makeBoard(workspace, { lists: ["To do", "Doing"] });
  const [open = "", full = ""] = lists;
  const cards = [await makeCard(admin, full), await makeCard(admin, full)];
  const limited = await admin.rest.put(`/lists/${full}`, { wipLimit: 2, wipMode });
  expect(limited).toMatchObject({ status: 200, body: { wipLimit: 2, wipMode } });
  return { workspace, admin, board, open, full, cards };
}
type Scene = Awaited<ReturnType<typeof scene>>;

type Call = (here: Scene, override: object) => Promise<{ status: number; body: any }>;

/** Every way into a list; each takes what it needs from the scene first. */
const ways: Record<string, Call> = {
  "card.create": ({ admin, full }, more) =>
    admin.rest.post("/cards", { title: "One more", listPublicId: full, ...more }),
  "card.update to another list": async ({ admin, open, full }, more) =>
    admin.rest.put(`/cards/${await makeCard(admin, open)}`, { listPublicId: full, ...more }),
  "card.update that unarchives": async ({ admin, full, cards }, more) => {
    await admin.rest.put(`/cards/${cards[0]}`, { isArchived: true });
    await makeCard(admin, full);
    return admin.rest.put(`/cards/${cards[0]}`, { isArchived: false, ...more });
  },
  "card.bulkUpdate to another list": async ({ admin, board, open, full }, more) =>
    admin.rest.post(`/boards/${board}/cards/bulk`, {
      cardPublicIds: [await makeCard(admin, open)],
      set: { listPublicId: full },
      ...more,
    }),
  "card.bulkUpdate that unarchives": async ({ admin, board, full, cards }, more) => {
    await admin.rest.put(`/cards/${cards[0]}`, { isArchived: true });
    await makeCard(admin, full);
    return admin.rest.post(`/boards/${board}/cards/bulk`, {
      cardPublicIds: [cards[0]],
      set: { isArchived: false },
      ...more,
    });
  },
  "card.restore": async ({ admin, full, cards }, more) => {
    await admin.rest.delete(`/cards/${cards[0]}`);
    await makeCard(admin, full);
    return admin.rest.post(`/cards/${cards[0]}/restore`, more);
  },
  "card.duplicate": ({ admin, cards }, more) =>
    admin.rest.post(`/cards/${cards[0]}/duplicate`, more),
  "list.moveCards": async ({ admin, open, full }, more) => {
    await makeCard(admin, open);
    const target = { targetListPublicId: full };
    return admin.rest.post(`/lists/${open}/move-cards`, { ...target, ...more });
  },
  "list.update that unarchives": async ({ admin, full }, more) => {
    await admin.rest.put(`/lists/${full}`, { isArchived: true, wipLimit: 1 });
    return admin.rest.put(`/lists/${full}`, { isArchived: false, ...more });
  },
  "list.restore": async ({ admin, full }, more) => {
    await admin.rest.put(`/lists/${full}`, { wipLimit: 1 });
    await admin.rest.delete(`/lists/${full}`);
    return admin.rest.post(`/lists/${full}/restore`, more);
  },
  "a copy of the board": async ({ admin, workspace, board, full }, more) => {
    await admin.rest.put(`/lists/${full}`, { wipLimit: 1 });
    const copy = { name: "A copy", sourceBoardPublicId: board };
    return admin.rest.post(`/workspaces/${workspace.publicId}/boards`, { ...copy, ...more });
  },
  "workspace.batch": async ({ admin, workspace, full }, more) =>
    admin.rest.post(`/workspaces/${workspace.publicId}/batch`, {
      operations: [
        { operation: "list.update", input: { listPublicId: full, name: "Still doing" } },
        {
          operation: "card.create",
          input: { title: "One more", listPublicId: full, ...more },
        },
      ],
    }),
};
const names = Object.keys(ways);
const call = (name: string, here: Scene, more: object) =>
  ways[name]?.(here, more) ?? Promise.reject(new Error(name));

const listOf = async ({ admin, full }: Scene) => (await admin.rest.get(`/lists/${full}`)).body;

test.each(names)("a list that blocks refuses %s beyond its limit", async (name) => {
  const here = await scene();
  const { status, body } = await call(name, here, {});
  expect(body).toMatchObject({
    code: "CONFLICT",
    issues: [{ code: "wip_limit", data: { count: expect.any(Number), limit: expect.any(Number) } }],
  });
  expect(status).toBe(409);
  const { limit, count } = body.issues[0].data;
  expect(count).toBe(limit + 1);
  // Nothing of the call stays.
  const { publicId } = here.workspace;
  const types = (await eventsIn(app(), publicId)).map(({ type }) => type);
  const refused = /^(?:list|card)\.(?:restored|unarchived|moved)$/;
  expect(types.filter((type) => refused.test(type))).toEqual([]);
  const { body: boards } = await here.admin.rest.get(`/workspaces/${publicId}/boards`);
  expect(boards.items.map((board: { publicId: string }) => board.publicId)).toEqual([here.board]);
});

test.each(names)("`override` lets %s exceed the limit of a list", async (name) => {
  const here = await scene();
  const { status, body } = await call(name, here, { override: true });
  expect(status, JSON.stringify(body)).toBe(200);
  if (name !== "a copy of the board")
    expect(await listOf(here)).toMatchObject({ cardsOverLimit: 1 });
});

test.each(names)(
  "a list that warns takes %s and says that it is beyond its limit",
  async (name) => {
    const here = await scene("warn");
    const { status, body } = await call(name, here, {});
    expect(status, JSON.stringify(body)).toBe(200);
    const board = name === "a copy of the board" ? body.publicId : here.board;
    const shown = (await here.admin.rest.get(`/boards/${board}?cardLimit=1&due=none`)).body;
    const [, list] = (shown.lists ?? []) as { wipMode: string; cardsOverLimit: number }[];
    expect(list).toMatchObject({ wipMode: "warn", cardsOverLimit: 1 });
  },
);

test("`override` requires list:edit, also where the limit is not exceeded", async () => {
  const { admin, workspace, open, full } = await scene();
  const member = await join(app(), workspace, "member");
  await admin.rest.post(
    `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
    { permission: "list:edit" },
  );
  for (const listPublicId of [full, open]) {
    const input = { title: "One more", listPublicId, override: true };
    const { status, body } = await member.rest.post("/cards", input);
    expect({ status, code: body.issues?.[0]?.code }).toEqual({ status: 403, code: "list:edit" });
  }
});

test("a full list keeps its cards: they change, move within it, and leave it", async () => {
  const { admin, open, full, cards } = await scene();
  // A limit may be set below the number of cards.
  const lowered = await admin.rest.put(`/lists/${full}`, { wipLimit: 1 });
  expect(lowered).toMatchObject({ status: 200, body: { cardCount: 2, cardsOverLimit: 1 } });
  const put = async (body: object) => (await admin.rest.put(`/cards/${cards[0]}`, body)).status;
  expect(await put({ title: "Another title" })).toBe(200);
  expect(await put({ index: 1 })).toBe(200);
  expect(await put({ listPublicId: full, index: 0 })).toBe(200);
  expect((await admin.rest.post(`/lists/${full}/sort`, { by: "title" })).status).toBe(200);
  expect(await put({ listPublicId: open })).toBe(200);
  expect(await put({ listPublicId: full })).toBe(409);
  expect(await put({ listPublicId: full, isArchived: true })).toBe(200);
  expect(await put({ isArchived: false })).toBe(409);
});

test("only `block` refuses, and only with a limit", async () => {
  const { admin, full } = await scene();
  const create = async (user: As = admin) =>
    (await user.rest.post("/cards", { title: "One more", listPublicId: full })).status;
  const set = (body: object) => admin.rest.put(`/lists/${full}`, body);
  expect(await create()).toBe(409);
  await set({ wipMode: "off" });
  expect(await create()).toBe(200);
  expect(await set({})).toMatchObject({ body: { wipLimit: 2, cardsOverLimit: 0 } });
  await set({ wipMode: "block", wipLimit: null });
  expect(await create()).toBe(200);
  expect(await set({ wipLimit: 4 })).toMatchObject({ body: { cardsOverLimit: 0 } });
  expect(await create()).toBe(409);
  expect((await set({ wipMode: "never" })).status).toBe(400);
});

test("events tell the mode of a list, and its changes", async () => {
  const { workspace } = await scene();
  const [event] = await eventsIn(app(), workspace.publicId, "list.updated");
  expect(event).toMatchObject({
    data: { list: { wipLimit: 2, wipMode: "block" } },
    changes: { wipLimit: { from: null, to: 2 }, wipMode: { from: "warn", to: "block" } },
  });
});

test("a reader without card:view does not learn how far a list is beyond its limit", async () => {
  const { admin, workspace, board, full } = await scene("warn");
  await makeCard(admin, full);
  const member = await join(app(), workspace, "member");
  expect((await member.rest.get(`/lists/${full}`)).body.cardsOverLimit).toBe(1);
  await admin.rest.post(
    `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
    { permission: "card:view" },
  );
  expect((await member.rest.get(`/lists/${full}`)).body.cardsOverLimit).toBe(0);
  const { lists } = (await member.rest.get(`/boards/${board}`)).body;
  expect(lists[1]).toMatchObject({ cardCount: 0, cardsOverLimit: 0 });
});
