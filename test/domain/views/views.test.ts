import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { makeScene } from "./scene.ts";

const app = useApp();
const scene = () => makeScene(app());

test("view.create saves a filter, an order and a grouping, and the view is shown", async () => {
  const { save, rest, one, workspace, events } = await scene();
  const given = {
    name: "Urgent",
    scope: "workspace",
    boards: [one.publicId],
    filter: { and: [{ field: "priority", op: "gte", value: "high" }] },
    sortBy: [{ field: "dueDate" }, { field: "createdAt", order: "desc" }],
    groupBy: { field: "member", byName: false },
    layout: "table",
  };
  const view = await save(given);
  const { body: home } = await rest.get(`/workspaces/${workspace.publicId}`);
  expect(view).toEqual({
    ...given,
    publicId: expect.any(String),
    workspacePublicId: workspace.publicId,
    boardPublicId: null,
    sortBy: [
      { field: "dueDate", order: "asc" },
      { field: "createdAt", order: "desc" },
    ],
    isBroken: false,
    broken: [],
    createdBy: { publicId: home.memberPublicId, name: "Admin", image: null },
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const { body, headers } = await rest.get(`/views/${view.publicId}`);
  expect(body).toEqual(view);
  expect(headers.get("etag")).toMatch(/^"1-/);
  const { name, filter, sortBy, groupBy, boards } = view;
  expect(await events("view.created")).toMatchObject([
    { data: { view: { name, filter, sortBy, groupBy, boards, version: 1 } } },
  ]);
});

test("view.update changes what is given, says what changed, and looks at If-Match", async () => {
  const { save, rest, events } = await scene();
  const view = await save({ scope: "workspace", filter: { field: "title", op: "is", value: "A" } });
  const path = `/views/${view.publicId}`;
  const stale = { headers: { "if-match": '"7"' } };
  expect((await rest.put(path, { name: "B" }, stale)).status).toBe(412);
  const { body, headers } = await rest.put(path, { name: "B", filter: null });
  expect(body).toMatchObject({ name: "B", filter: null, layout: "list", version: 2 });
  expect(headers.get("etag")).toBe('"2"');
  await rest.put(path, { name: "B" });
  expect(await events("view.updated")).toMatchObject([
    {
      data: { view: { name: "B", version: 2 } },
      changes: {
        name: { from: "A view", to: "B" },
        filter: { from: view.filter, to: null },
      },
    },
  ]);
});

test("view.delete takes a view away", async () => {
  const { save, rest, names, events } = await scene();
  const view = await save({ scope: "workspace" });
  expect((await rest.delete(`/views/${view.publicId}`)).body).toEqual({ success: true });
  expect((await rest.get(`/views/${view.publicId}`)).status).toBe(404);
  expect(await names()).toEqual([]);
  expect(await events("view.deleted")).toMatchObject([{ data: { view: { version: 2 } } }]);
});

describe("view.restore", () => {
  test("brings a deleted view back, with what it names", async () => {
    const { save, rest, names, events, path, one } = await scene();
    const filter = { field: "listPublicId", op: "is", value: one.lists[0] };
    const view = await save({ scope: "board", boardPublicId: one.publicId, filter });
    await rest.delete(`/views/${view.publicId}`);
    const { body: deleted } = await rest.get(`${path}?deleted=true`);
    expect(deleted).toMatchObject([{ publicId: view.publicId, filter, version: 2 }]);
    const { status, body } = await rest.post(`/views/${view.publicId}/restore`);
    expect([status, body]).toEqual([200, { ...view, version: 3, updatedAt: expect.any(String) }]);
    expect((await rest.get(`/views/${view.publicId}`)).body).toEqual(body);
    expect(await names()).toEqual(["A view"]);
    expect((await rest.get(`${path}?deleted=true`)).body).toEqual([]);
    expect(await events("view.restored")).toMatchObject([
      { data: { view: { version: 3 }, board: { publicId: one.publicId } } },
    ]);
    expect((await rest.post(`/views/${view.publicId}/restore`)).body).toEqual(body);
    expect(await events("view.restored")).toHaveLength(1);
  });

  test("is for those who may delete it", async () => {
    const { save, rest, member, path } = await scene();
    const ours = await save({ scope: "workspace" });
    await rest.delete(`/views/${ours.publicId}`);
    expect((await member.rest.get(`${path}?deleted=true`)).body).toHaveLength(1);
    expect((await member.rest.post(`/views/${ours.publicId}/restore`)).status).toBe(403);
    const mine = await save({ name: "Mine" }, member.rest);
    await member.rest.delete(`/views/${mine.publicId}`);
    const listed = (await rest.get(`${path}?deleted=true`)).body;
    expect(listed.map(({ publicId }: { publicId: string }) => publicId)).toEqual([ours.publicId]);
    expect((await rest.post(`/views/${mine.publicId}/restore`)).status).toBe(404);
    expect((await member.rest.post(`/views/${mine.publicId}/restore`)).status).toBe(200);
  });

  test("needs its board, and room for one more", async () => {
    const { save, rest, one, path } = await scene();
    const view = await save({ scope: "board", boardPublicId: one.publicId });
    await rest.delete(`/views/${view.publicId}`);
    await rest.delete(`/boards/${one.publicId}`);
    expect((await rest.post(`/views/${view.publicId}/restore`)).status).toBe(404);
    expect((await rest.get(`${path}?deleted=true`)).body).toEqual([]);
    await rest.post(`/boards/${one.publicId}/restore`);
    expect((await rest.post(`/views/${view.publicId}/restore`)).status).toBe(200);
    const mine = await save({ name: "Mine" });
    await rest.delete(`/views/${mine.publicId}`);
    for (let nth = 0; nth < 50; nth++) await save({ name: `View ${nth}` });
    const full = await rest.post(`/views/${mine.publicId}/restore`);
    expect([full.status, full.body.issues[0].code]).toEqual([409, "limit_exceeded"]);
  });
});

describe("a private view", () => {
  test("is its owner's: nobody else sees, changes or hears of it", async () => {
    const { save, names, member, rest, workspace, events } = await scene();
    const view = await save({ name: "Mine" }, member.rest);
    expect(view).toMatchObject({ scope: "private" });
    const path = `/views/${view.publicId}`;
    for (const one of [path, `${path}/cards`, `${path}/groups`])
      expect([one, (await rest.get(one)).status]).toEqual([one, 404]);
    expect((await rest.put(path, { name: "Yours" })).status).toBe(404);
    expect((await rest.delete(path)).status).toBe(404);
    expect(await names()).toEqual([]);
    expect(await names(member.rest)).toEqual(["Mine"]);
    expect((await member.rest.put(path, { name: "My own" })).body.version).toBe(2);
    expect((await member.rest.delete(path)).status).toBe(200);
    const feed = await rest.get(`/workspaces/${workspace.publicId}/events`);
    expect(JSON.stringify(feed.body)).not.toContain(view.publicId);
    expect(await events("view.created")).toEqual([]);
  });

  test("does not come back with the member of another workspace", async () => {
    const { save, member } = await scene();
    const other = await makeWorkspace(app(), member);
    const view = await save({}, member.rest);
    const views = await member.rest.get(`/workspaces/${other.publicId}/views`);
    expect(views.body).toEqual([]);
    expect((await member.rest.get(`/views/${view.publicId}`)).status).toBe(200);
  });
});

describe("permissions", () => {
  test("a view of a board needs board:edit, one of the workspace workspace:edit", async () => {
    const { path, member, guest, one } = await scene();
    const board = { name: "V", scope: "board", boardPublicId: one.publicId };
    const ofBoard = await member.rest.post(path, board);
    expect([ofBoard.status, ofBoard.body.issues[0].code]).toEqual([403, "board:edit"]);
    const ofWorkspace = await member.rest.post(path, { name: "V", scope: "workspace" });
    expect([ofWorkspace.status, ofWorkspace.body.issues[0].code]).toEqual([403, "workspace:edit"]);
    expect((await guest.rest.post(path, { name: "V" })).status).toBe(200);
  });

  test("others than the creator need them to change and delete it", async () => {
    const { save, member, one, workspace, rest } = await scene();
    const ofBoard = await save({ scope: "board", boardPublicId: one.publicId });
    const ofWorkspace = await save({ scope: "workspace" });
    for (const view of [ofBoard, ofWorkspace]) {
      expect((await member.rest.put(`/views/${view.publicId}`, { name: "X" })).status).toBe(403);
      expect((await member.rest.delete(`/views/${view.publicId}`)).status).toBe(403);
      expect((await member.rest.get(`/views/${view.publicId}`)).status).toBe(200);
    }
    await rest.post(
      `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/grant`,
      { permission: "board:edit" },
    );
    expect((await member.rest.put(`/views/${ofBoard.publicId}`, { name: "X" })).status).toBe(200);
    const refused = await member.rest.put(`/views/${ofWorkspace.publicId}`, { name: "X" });
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, "workspace:edit"]);
  });
});

test.each([
  [
    "a board for another scope",
    { scope: "workspace", boardPublicId: "ONE" },
    ["boardPublicId"],
    400,
  ],
  ["the scope board without a board", { scope: "board" }, ["boardPublicId"], 400],
  [
    "boards beside a board",
    { scope: "board", boardPublicId: "ONE", boards: ["ONE"] },
    ["boards"],
    400,
  ],
  ["an unknown board", { boards: ["ONE", "abcdefghijkl"] }, ["boards", 1], 404],
  ["no boards", { boards: [] }, ["boards"], 400],
  [
    "a filter of nothing",
    { filter: { field: "size", op: "is", value: 1 } },
    ["filter", "field"],
    400,
  ],
  ["a grouping by text", { groupBy: { field: "title" } }, ["groupBy", "field"], 400],
  ["an order by label", { sortBy: [{ field: "labels" }] }, ["sortBy", 0, "field"], 400],
  ["a grouping by a text field", { groupBy: { field: "fields.TEXT" } }, ["groupBy", "field"], 400],
  [
    "an order by a select field",
    { sortBy: [{ field: "fields.SIZE" }] },
    ["sortBy", 0, "field"],
    400,
  ],
  [
    "a condition that its field has not",
    { filter: { not: { field: "fields.SIZE", op: "contains", value: "x" } } },
    ["filter", "not", "op"],
    400,
  ],
])("view.create refuses %s", async (_, body, path, status) => {
  const { rest, path: views, one } = await scene();
  const field = async (fields: object) =>
    (await rest.post(`/boards/${one.publicId}/fields`, fields)).body.publicId;
  const ids = {
    ONE: one.publicId,
    TEXT: await field({ name: "Text", type: "text" }),
    SIZE: await field({ name: "Size", type: "select" }),
  };
  const given = JSON.stringify(body).replaceAll(/ONE|TEXT|SIZE/g, (name) => ids[name as "ONE"]);
  const reply = await rest.post(views, { name: "V", ...JSON.parse(given) });
  expect([reply.status, reply.body.issues?.[0]?.path]).toEqual([status, path]);
  expect((await rest.get(views)).body).toEqual([]);
});

test("view.cards reads the cards of all boards in the order of the view, page by page", async () => {
  const { save, titles, card, one, two } = await scene();
  for (const [nth, board] of [one, two, two, one, two, one].entries())
    await card(board.lists[nth % 3], `Card ${nth}`, { dueDate: `2026-03-0${6 - nth}` });
  await card(one.lists[0], "Without a date");
  const view = await save({ sortBy: [{ field: "dueDate" }] });
  const all = ["Card 5", "Card 4", "Card 3", "Card 2", "Card 1", "Card 0", "Without a date"];
  expect(await titles(view)).toEqual(all);
  expect(await titles(view, { limit: "2" })).toEqual(all);
  const narrow = await save({
    filter: { field: "title", op: "isAnyOf", value: ["Card 0", "Card 4"] },
    sortBy: [{ field: "createdAt", order: "desc" }],
  });
  expect(await titles(narrow, { limit: "1" })).toEqual(["Card 4", "Card 0"]);
  const ofOne = await save({
    boards: [one.publicId],
    sortBy: [{ field: "createdAt", order: "asc" }],
  });
  expect(await titles(ofOne)).toEqual(["Card 0", "Card 3", "Card 5", "Without a date"]);
  const ofBoard = await save({ scope: "board", boardPublicId: two.publicId });
  expect((await titles(ofBoard)).toSorted()).toEqual(["Card 1", "Card 2", "Card 4"]);
});

test("`me` and days are those of the reader", async () => {
  const { save, titles, card, one, two, member, rest, workspace } = await scene();
  const { body: home } = await rest.get(`/workspaces/${workspace.publicId}`);
  await card(one.lists[0], "Theirs", { memberPublicIds: [member.memberPublicId] });
  await card(two.lists[0], "Mine", { memberPublicIds: [home.memberPublicId] });
  const filter = { field: "members", op: "is", value: "me" };
  const view = await save({ scope: "workspace", filter });
  expect(await titles(view)).toEqual(["Mine"]);
  expect(await titles(view, {}, member.rest)).toEqual(["Theirs"]);
});

test("a view never shows cards or counts of a board that its reader does not see", async () => {
  const { save, titles, card, one, two, rest, names, member } = await scene();
  await card(one.lists[0], "Shown");
  await card(two.lists[0], "Hidden");
  const all = await save({ scope: "workspace", name: "All", groupBy: { field: "list" } });
  const named = await save({ scope: "workspace", name: "Named", boards: [two.publicId] });
  await save({ scope: "board", name: "Of the board", boardPublicId: two.publicId });
  await rest.put(`/boards/${two.publicId}`, { visibility: "restricted" });
  expect(await titles(all, {}, member.rest)).toEqual(["Shown"]);
  expect(await titles(named, {}, member.rest)).toEqual([]);
  const groups = await member.rest.get(`/views/${all.publicId}/groups`);
  expect(groups.body).toMatchObject({ total: 1, groups: [{ name: "To do", count: 1 }] });
  const { body: broken } = await member.rest.get(`/views/${named.publicId}`);
  expect(broken).toMatchObject({ isBroken: true, broken: ["boards.0"] });
  expect(await names(member.rest)).toEqual(["All", "Named"]);
  expect((await titles(all)).toSorted()).toEqual(["Hidden", "Shown"]);
});
