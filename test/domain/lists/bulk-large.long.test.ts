import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { insertLabels } from "../../support/rows.ts";
import { fill } from "../../transfer/exports/many.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp({ env: { LIMITS: "labels=2000" } });

// Events are completed and written by thousands.
test("each of 2,100 moved cards has its event, with its state, version and index", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const [list = "", target = ""] = board.lists;
  await fill(app(), list, { cards: 2_100 });
  const before = await app().db.reader.card.findMany({ orderBy: { position: "asc" } });
  const [labelPublicId] = board.labels;
  const labelled = [before[0], before[1_500], before[2_099]].map((card) => card?.publicId ?? "");
  for (const id of labelled) await rest.post(`/cards/${id}/labels`, { labelPublicId });
  const reply = await rest.post(`/lists/${list}/move-cards`, { targetListPublicId: target });
  expect(reply).toMatchObject({ status: 200, body: { moved: 2_100 } });
  // The version of the list: the change is about many cards.
  expect(reply.headers.get("etag")).toBe('"1"');
  const after = await app().db.reader.card.findMany({ orderBy: { position: "asc" } });
  const events = await findEvents(app(), {
    where: { type: "card.moved" },
    orderBy: { id: "asc" },
  });
  const shown = events.map(({ data }) => {
    const { card, to } = data as Record<string, any>;
    return [card.publicId, card.version, to.index, card.labels.length];
  });
  const expected = after.map(({ publicId, version }, index) => [
    publicId,
    version,
    index,
    labelled.includes(publicId) ? 1 : 0,
  ]);
  expect(shown).toEqual(expected);
  expect(after.map(({ publicId }) => publicId)).toEqual(before.map(({ publicId }) => publicId));
});

test("a batch makes at most 5,000 events", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = "", target = ""] = board.lists;
  await fill(app(), list, { cards: 2_600 });
  const move = (from: string, to: string) => ({
    operation: "list.moveCards",
    input: { listPublicId: from, targetListPublicId: to },
  });
  const path = `/workspaces/${workspace.publicId}/batch`;
  const run = (operations: object[]) => workspace.admin.rest.post(path, { operations });
  expect(await run([move(list, target), move(target, list)])).toMatchObject({
    status: 409,
    body: { failedAt: 1, issues: [{ code: "limit_exceeded" }] },
  });
  expect(await run([move(list, target)])).toMatchObject({ status: 200 });
});

type Large = { list: string; board: string; workspace: string; nth: number };

/** Operations on a board of 21,000 cards; a thousand of them have 40 items each. */
const largeOperations: Record<string, (large: Large) => object> = {
  "list.sort": ({ list: listPublicId, nth }) => {
    const order = nth % 2 === 0 ? "desc" : "asc";
    return { operation: "list.sort", input: { listPublicId, by: "title", order } };
  },
  "list.sort of a sorted list": ({ list: listPublicId }) => {
    return { operation: "list.sort", input: { listPublicId, by: "createdAt" } };
  },
  "board.create": ({ board: sourceBoardPublicId, workspace: workspacePublicId }) => {
    const input = { workspacePublicId, name: "Copy", sourceBoardPublicId };
    return { operation: "board.create", input };
  },
};

describe("on a board of 21,000 cards", () => {
  let workspace: Workspace;
  let large: Omit<Large, "nth">;
  // A batch that fails changes nothing: one board does for all.
  beforeAll(async () => {
    workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const [copied = "", list = ""] = board.lists;
    await fill(app(), copied, { cards: 1_000, items: 40 });
    await fill(app(), list, { cards: 20_000 });
    large = { list, board: board.publicId, workspace: workspace.publicId };
  });

  test.each(Object.entries(largeOperations))("a batch of many times %s is 409", async (_, make) => {
    const operations = Array.from({ length: 100 }, (__, nth) => make({ ...large, nth }));
    const path = `/workspaces/${workspace.publicId}/batch`;
    const reply = await workspace.admin.rest.post(path, { operations });
    expect(reply).toMatchObject({ status: 409, body: { issues: [{ code: "limit_exceeded" }] } });
    expect(reply.body.issues[0].message).toContain("10,000 rows");
    expect(reply.body.failedAt).toBeGreaterThan(0);
  });
});

test("the ETag of a card that takes 1,100 labels to another board is its version", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const [board, other] = [await makeBoard(workspace), await makeBoard(workspace)];
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  await rest.put(`/cards/${card}`, { title: "Changed" });
  await insertLabels(app(), card, 1_100);
  const reply = await rest.put(`/cards/${card}`, { listPublicId: other.lists[0], title: "Moved" });
  const row = await app().db.reader.card.findUniqueOrThrow({ where: { publicId: card } });
  expect(reply.headers.get("etag")).toBe(`"${row.version}"`);
  const ifMatch = { headers: { "If-Match": reply.headers.get("etag") ?? "" } };
  const path = `/cards/${card}`;
  expect((await rest.put(path, { title: "Again" }, ifMatch)).status).toBe(200);
  expect((await rest.put(path, { title: "Stale" }, ifMatch)).status).toBe(412);
});

test("the ETag of a change of many cards is the version of its target", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const [from = "", to = ""] = board.lists;
  await rest.put(`/lists/${from}`, { name: "Version 2" });
  const card = await makeCard(workspace.admin, from);
  const set = { isComplete: true };
  const changed = await rest.post(`/boards/${board.publicId}/cards/bulk`, { filter: {}, set });
  const moved = await rest.post(`/lists/${from}/move-cards`, { targetListPublicId: to });
  expect([changed, moved].map(({ headers }) => headers.get("etag"))).toEqual(['"1"', '"2"']);
  expect((await rest.get(`/cards/${card}`)).body.version).toBe(3);
});
