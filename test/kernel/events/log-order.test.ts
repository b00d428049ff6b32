import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { instances } from "../answers/instances.ts";
import { moving } from "./open-move.ts";

const app = useApp({ isolated: true });

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  const cards: string[] = [];
  for (const title of ["A", "B", "C"]) cards.push(await makeCard(workspace.admin, one, title));
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  return { workspace, board, one, two, cards, cursor };
}

const eventsAfter = async (workspace: Workspace, cursor: string) =>
  (await follow(workspace.admin, workspace.publicId, { cursor })).items;
const cardsOf = (items: any[]) => items.map(({ data }) => data.card.publicId);

/** Makes the last completed transaction one that began after all that are open. */
const completeAnother = (workspace: Workspace) =>
  workspace.admin.rest.put(`/workspaces/${workspace.publicId}`, { description: "Later" });

async function numbersOf(cards: string[]) {
  const rows = await app().db.reader.event.findMany({
    where: { cardPublicId: { in: cards }, type: "card.moved" },
    orderBy: { id: "asc" },
  });
  return rows.map(({ cardPublicId, xid, transactionId }) => ({ cardPublicId, xid, transactionId }));
}

test("a move that waited for another comes after it, although its transaction began first", async () => {
  const { workspace, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const early = await moving(app(), second, two);
  await workspace.admin.rest.put(`/cards/${first}`, { listPublicId: two });
  await early.emit();
  await early.commit();
  const [one, other] = await numbersOf([first, second]);
  expect([one?.cardPublicId, other?.cardPublicId]).toEqual([first, second]);
  expect(Number(other?.xid)).toBeLessThan(Number(one?.xid));
  const items = await eventsAfter(workspace, cursor);
  expect(cardsOf(items)).toEqual([first, second]);
  expect(items.map(({ data }) => data.to.index)).toEqual([0, 1]);
  const listed = (await workspace.admin.rest.get(`/lists/${two}/cards`)).body.items;
  expect(listed.map(({ publicId }: any) => publicId)).toEqual([first, second]);
});

test("an event waits for all transactions that began before its number", async () => {
  const { workspace, one, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const early = await moving(app(), first, one);
  const late = await moving(app(), second, two);
  await completeAnother(workspace);
  await early.emit();
  await early.commit();
  // Its number is that of the other transaction, which began after `late`.
  expect(await eventsAfter(workspace, cursor)).toEqual([]);
  await late.emit();
  await late.commit();
  const items = await eventsAfter(workspace, cursor);
  expect(items.map(({ type }) => type)).toEqual(["workspace.updated", "card.moved", "card.moved"]);
});

test("a read of the feed waits for transactions that end within milliseconds", async () => {
  const { workspace, one, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const [early, late] = [await moving(app(), first, one), await moving(app(), second, two)];
  await completeAnother(workspace);
  await early.emit();
  await early.commit();
  const [items] = await Promise.all([eventsAfter(workspace, cursor), late.commit()]);
  expect(items.map(({ type }: any) => type)).toEqual(["workspace.updated", "card.moved"]);
});

/** Two transactions whose three events have one number. */
async function sharedNumber() {
  // Transactions in other databases of the server take numbers too: some attempts have two.
  for (let attempt = 0; attempt < 50; attempt++) {
    const { workspace, one, two, cards, cursor } = await scene();
    const [first = "", second = ""] = cards;
    const [early, late] = [await moving(app(), first, one), await moving(app(), second, two)];
    await completeAnother(workspace);
    await early.emit();
    await late.emit();
    await early.emit();
    await late.commit();
    await early.commit();
    const numbers = await numbersOf([first, second]);
    expect(numbers).toHaveLength(3);
    const isShared = new Set(numbers.map(({ transactionId }) => transactionId)).size === 1;
    if (isShared) return { workspace, first, second, cursor };
  }
  throw new Error("No attempt had one number.");
}

test("transactions may share a number: their events stay together, and cursors part them", async () => {
  const { workspace, first, second, cursor } = await sharedNumber();
  const items = await eventsAfter(workspace, cursor);
  const expected = [first, first, second];
  expect(cardsOf(items.slice(1))).toEqual(expected);
  let at = cursor;
  const orders: string[] = [];
  for (const item of items) {
    const path = `/workspaces/${workspace.publicId}/events?limit=1&cursor=${at}`;
    const { body } = await workspace.admin.rest.get(path);
    expect(body.items).toEqual([item]);
    at = body.nextCursor;
    orders.push(at.slice(at.lastIndexOf(".") + 1));
  }
  expect(orders.toSorted()).toEqual(orders);
  expect(new Set(orders).size).toBe(items.length);
});

test("a cached board shows the change of a transaction that began before it was read", async () => {
  const { workspace, board, two, cards } = await scene();
  const [first = ""] = cards;
  const { token } = workspace.admin;
  const path = `/boards/${board.publicId}`;
  const all = instances(app());
  const early = await moving(app(), first, two);
  await completeAnother(workspace);
  await all.warm(path, token);
  await early.emit();
  await early.commit();
  const fresh = all.expectFresh(path, token, "after the move");
  await expect(fresh).resolves.toBeUndefined();
});

test("a snapshot shows each event, or its cursor is before it", async () => {
  const { workspace, board, two, cards } = await scene();
  const [first = ""] = cards;
  const early = await moving(app(), first, two);
  await completeAnother(workspace);
  const read = await workspace.admin.rest.get(`/boards/${board.publicId}`);
  await early.emit();
  await early.commit();
  const items = await eventsAfter(workspace, read.body.cursor);
  expect(cardsOf(items.filter(({ type }) => type === "card.moved"))).toEqual([first]);
});
