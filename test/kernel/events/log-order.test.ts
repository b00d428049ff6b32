import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { instances } from "../response-cache/instances.ts";
import { waitsForLock } from "./open-lock.ts";
import { moving } from "./open-move.ts";
import { takeNumbers } from "./take-numbers.ts";
import { findEvents } from "../../support/events.ts";

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

test("a move that waited for another comes after it, although its transaction began first", async () => {
  const { workspace, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const early = await moving(app(), second, two);
  await workspace.admin.rest.put(`/cards/${first}`, { listPublicId: two });
  await early.emit();
  await early.commit();
  const items = await eventsAfter(workspace, cursor);
  expect(cardsOf(items)).toEqual([first, second]);
  expect(items.map(({ data }) => data.to.index)).toEqual([0, 1]);
  const listed = (await workspace.admin.rest.get(`/lists/${two}/cards`)).body.items;
  expect(listed.map(({ publicId }: any) => publicId)).toEqual([first, second]);
});

test("a write waits for an earlier one of its workspace to commit, and comes after it", async () => {
  const { workspace, one, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const early = await moving(app(), first, two);
  await early.emit();
  const later = workspace.admin.rest.put(`/cards/${second}`, { listPublicId: one, index: 2 });
  expect(await waitsForLock(app(), later)).toBe(true);
  expect(await eventsAfter(workspace, cursor)).toEqual([]);
  await early.commit();
  expect((await later).status).toBe(200);
  expect(cardsOf(await eventsAfter(workspace, cursor))).toEqual([first, second]);
});

test("a feed does not wait for transactions that have written elsewhere", async () => {
  const { workspace, one, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  const other = await scene();
  const foreign = await moving(app(), other.cards[0] ?? "", other.two);
  await foreign.emit();
  const unfinished = await moving(app(), first, one);
  await workspace.admin.rest.put(`/cards/${second}`, { title: "New" });
  expect(cardsOf(await eventsAfter(workspace, cursor))).toEqual([second]);
  await foreign.commit();
  await unfinished.commit();
});

test("a write that is rolled back leaves no gap", async () => {
  const { workspace, two, cards, cursor } = await scene();
  const [first = "", second = ""] = cards;
  await expect(
    app().db.transact(async (_, query) => {
      const [row] = await takeNumbers(query, workspace.publicId, 5);
      throw new Error(`no write to ${row?.id}`);
    }),
  ).rejects.toThrow("no write");
  const { headers } = await workspace.admin.rest.put(`/cards/${first}`, { listPublicId: two });
  await workspace.admin.rest.put(`/cards/${second}`, { listPublicId: two });
  const { id } = await app().db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspace.publicId },
  });
  const events = await findEvents(app(), {
    where: { workspaceId: id },
    orderBy: { number: "asc" },
  });
  expect(events.map(({ number }) => number)).toEqual(events.map((_, nth) => BigInt(nth + 1)));
  expect(events.at(-2)?.publicId).toBe(headers.get("last-event"));
  expect(cardsOf(await eventsAfter(workspace, cursor))).toEqual([first, second]);
});

test("a cached board shows the change of a transaction that began before it was read", async () => {
  const { workspace, board, two, cards } = await scene();
  const [first = ""] = cards;
  const { token } = workspace.admin;
  const path = `/boards/${board.publicId}`;
  const all = instances(app());
  const early = await moving(app(), first, two);
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
  await early.emit();
  const read = await workspace.admin.rest.get(`/boards/${board.publicId}`);
  await early.commit();
  const items = await eventsAfter(workspace, read.body.cursor);
  expect(cardsOf(items.filter(({ type }) => type === "card.moved"))).toEqual([first]);
});

test("a cursor of an earlier version continues after the event that it names", async () => {
  const { workspace, two, cards } = await scene();
  const [first = "", second = ""] = cards;
  const { id } = await app().db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspace.publicId },
  });
  const { headers } = await workspace.admin.rest.put(`/cards/${first}`, { listPublicId: two });
  await workspace.admin.rest.put(`/cards/${second}`, { listPublicId: two });
  const now = app().deps.clock().getTime();
  const earlier = (publicId: string | null) => {
    const parts = [9_000_000, 77, now, publicId, now].join(".");
    return `${app().deps.seal.sealEqually(`cursor of the log of ${id}`, parts)}.5zzzz2aa`;
  };
  const items = await eventsAfter(workspace, earlier(headers.get("last-event")));
  expect(cardsOf(items)).toEqual([second]);
  expect(items[0].order > "5zzzz2aa").toBe(true);
  const path = `/workspaces/${workspace.publicId}/events`;
  const { status, body } = await workspace.admin.rest.get(`${path}?cursor=${earlier("gone")}`);
  expect([status, body.issues[0].code]).toEqual([400, "cursor_ahead"]);
});
