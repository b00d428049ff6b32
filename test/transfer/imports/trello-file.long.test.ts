import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { actual, countsIn, expected } from "./compare.ts";
import { boardOf, importFile, read, send } from "./importing.ts";
import { runDue } from "../../support/jobs.ts";
import { makeExport } from "./trello-export.ts";
import { card, comment, idOf, kinds, list } from "./trello-objects.ts";

const app = useApp({ isolated: true });

const found = (counts: Record<string, { found: number }>) =>
  Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, count.found]));

describe.each(["old", "new"] as const)("an export in Trello's %s format", (format) => {
  test.each([1, 250])("with %i cards is imported completely, in order", async (cards) => {
    const home = await makeWorkspace(app());
    const source = makeExport({ cards, format });
    const done = await importFile(app(), home, source);
    expect(done).toMatchObject({ status: "completed", error: null });
    expect(await actual(home, done.boards[0].publicId)).toEqual(expected(source));
    expect(await boardOf(home, done.boards[0].publicId)).toMatchObject({
      name: "Board of Trello",
      description: "What it is for",
      isArchived: false,
    });
  });

  test("is counted by kind: found = created + already there + skipped", async () => {
    const home = await makeWorkspace(app());
    const source = makeExport({ cards: 120, format });
    const { counts } = await importFile(app(), home, source);
    expect(found(counts)).toMatchObject(countsIn(source));
    for (const one of Object.values<any>(counts)) {
      expect(one.found).toBe(one.created + one.alreadyThere + one.leftOut);
    }
    expect(counts.card).toMatchObject({ created: 120, leftOut: 0 });
  });
});

test("the same file again creates nothing and counts everything as already there", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 120 });
  const first = await importFile(app(), home, source);
  const before = await actual(home, first.boards[0].publicId);
  const again = await importFile(app(), home, source);
  expect(again).toMatchObject({ status: "completed", boards: [] });
  for (const [kind, count] of Object.entries<any>(again.counts)) {
    expect({ kind, created: count.created }).toEqual({ kind, created: 0 });
    expect(count.alreadyThere + count.leftOut).toBe(first.counts[kind].found);
  }
  expect(await actual(home, first.boards[0].publicId)).toEqual(before);
  const { body } = await home.admin.rest.get(`/workspaces/${home.publicId}/boards`);
  expect(body.items).toHaveLength(1);
});

test("a later export adds new cards at their positions in Trello and changes no existing card", async () => {
  const home = await makeWorkspace(app());
  const lists = [list(1)];
  const cards = [1, 2, 3, 4].map((nth) => card(nth));
  const first = { ...makeExport({ cards: 0, lists: 0 }), lists, cards };
  const { boards } = await importFile(app(), home, first);
  const shown = await boardOf(home, boards[0].publicId);
  await home.admin.rest.put(`/cards/${shown.lists[0].cards[1].publicId}`, { title: "Ours by now" });
  const later = {
    ...first,
    cards: [...cards, card(5, { pos: 65_536 * 2.5 }), card(6, { pos: 1 })],
    actions: [comment(1, idOf(kinds.card, 1))],
  };
  const done = await importFile(app(), home, later);
  expect(done.counts.card).toMatchObject({ created: 2, alreadyThere: 4, leftOut: 0 });
  expect(done.counts.comment).toMatchObject({ created: 1 });
  const after = await boardOf(home, boards[0].publicId);
  expect(after.lists[0].cards.map((one: any) => [one.title, one.commentCount])).toEqual([
    ["Card 6", 0],
    ["Card 1", 1],
    ["Ours by now", 0],
    ["Card 5", 0],
    ["Card 3", 0],
    ["Card 4", 0],
  ]);
});

test("a deleted board is imported again; a deleted card is not", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 5, lists: 1 });
  const { boards } = await importFile(app(), home, source);
  const shown = await boardOf(home, boards[0].publicId);
  await home.admin.rest.delete(`/cards/${shown.lists[0].cards[0].publicId}`);
  const again = await importFile(app(), home, source);
  expect(again.counts.card).toMatchObject({ created: 0, alreadyThere: 4, leftOut: 1 });
  expect(again.issues).toContainEqual(
    expect.objectContaining({
      kind: "card",
      reason: expect.stringContaining("been deleted or moved"),
    }),
  );
  await home.admin.rest.delete(`/boards/${boards[0].publicId}`);
  const anew = await importFile(app(), home, source);
  expect(anew.counts.card).toMatchObject({ created: 5, alreadyThere: 0, leftOut: 0 });
  expect(anew.boards[0].publicId).not.toBe(boards[0].publicId);
});

test("a board moved to another workspace is known there and imported again here", async () => {
  const home = await makeWorkspace(app());
  const away = await makeWorkspace(app(), home.admin);
  const source = makeExport({ cards: 5 });
  const { boards } = await importFile(app(), home, source);
  const moved = await home.admin.rest.post(`/boards/${boards[0].publicId}/move`, {
    workspacePublicId: away.publicId,
  });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  expect((await importFile(app(), away, source)).counts.card).toMatchObject({ alreadyThere: 5 });
  expect((await importFile(app(), home, source)).counts.card).toMatchObject({ created: 5 });
});

test("a retry after a timeout is the same import, and leaves no second board", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 20 });
  const [first, retry] = [await send(app(), home, source), await send(app(), home, source)];
  expect(retry.body.publicId).toBe(first.body.publicId);
  await runDue(app().deps);
  const late = await send(app(), home, source);
  expect(late.body.publicId).not.toBe(first.body.publicId);
  await runDue(app().deps);
  expect((await read(home, late.body.publicId)).counts.card).toMatchObject({ alreadyThere: 20 });
  const { body } = await home.admin.rest.get(`/workspaces/${home.publicId}/boards`);
  expect(body.items).toHaveLength(1);
});

test("its cards are numbered without gaps, in the order of lists and cards", async () => {
  const home = await makeWorkspace(app());
  const { boards } = await importFile(app(), home, makeExport({ cards: 60 }));
  const shown = await boardOf(home, boards[0].publicId);
  const numbers = shown.lists.flatMap((one: any) => one.cards.map((two: any) => two.cardNumber));
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, nth) => `${home.cardPrefix}-${nth + 1}`));
});

test("the file is deleted when its import completes or fails", async () => {
  const home = await makeWorkspace(app());
  await importFile(app(), home, makeExport({ cards: 1 }));
  await importFile(app(), home, `{"id": "`);
  expect(await app().db.reader.importFile.count()).toBe(0);
});
