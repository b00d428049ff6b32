import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard } from "../../support/make.ts";
import { makeScene } from "./scene.ts";

const app = useApp();

/** Three boards with cards in both of two lists, in many orders. */
async function scene() {
  const all = await makeScene(app());
  const { one, two, card, rest, workspace } = all;
  const boards = [one, two, await makeBoard(workspace)];
  const { body: effort } = await rest.post(`/boards/${one.publicId}/fields`, {
    name: "Effort",
    type: "number",
  });
  const ids: string[] = [];
  for (let nth = 0; nth < 24; nth++) {
    const board = boards[(nth * 7) % 3] ?? one;
    const fields = board === one && nth % 2 === 0 ? { [effort.publicId]: (nth * 5) % 9 } : {};
    const more = {
      priority: ["none", "low", "high", "urgent"][nth % 4],
      ...(nth % 3 === 0 ? {} : { dueDate: `2026-05-${10 + ((nth * 11) % 15)}T00:00:00Z` }),
      fields,
    };
    ids.push(await card(board.lists[nth % 2], `Card ${nth}`, more));
  }
  return { ...all, ids, effort: `fields.${effort.publicId}` };
}

const orders: [string, { field: string; order?: string }[] | null][] = [
  ["the position", null],
  ["due dates", [{ field: "dueDate" }]],
  ["due dates, latest first", [{ field: "dueDate", order: "desc" }]],
  ["priority and due dates", [{ field: "priority", order: "desc" }, { field: "dueDate" }]],
  ["a custom field", [{ field: "EFFORT", order: "desc" }, { field: "createdAt" }]],
  ["creation", [{ field: "createdAt", order: "asc" }]],
];

test.each(orders)("pages by %s join to the whole list, of every size", async (_, sortBy) => {
  const { save, titles, effort } = await scene();
  const keys = sortBy?.map((key) => ({ ...key, field: key.field.replace("EFFORT", effort) }));
  for (const filter of [null, { field: "priority", op: "isNot", value: "low" }]) {
    const view = await save({ sortBy: keys ?? null, filter });
    const whole = await titles(view, { limit: "100" });
    expect(whole).toHaveLength(filter === null ? 24 : 18);
    for (const limit of ["1", "5"]) expect(await titles(view, { limit })).toEqual(whole);
  }
});

test("cards that nobody changes are on the pages once, whatever is written meanwhile", async () => {
  const { save, rest, card, ids, one, two } = await scene();
  const view = await save({ sortBy: [{ field: "dueDate" }] });
  const seen: string[] = [];
  const changed = new Set<string>();
  let cursor = "";
  for (let page = 0; ; page++) {
    const { body } = await rest.get(`/views/${view.publicId}/cards?limit=3${cursor}`);
    seen.push(...body.items.map(({ publicId }: { publicId: string }) => publicId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    const [moved = "", deleted = ""] = ids.splice(0, 2);
    for (const id of [moved, deleted]) changed.add(id);
    await Promise.all([
      rest.put(`/cards/${moved}`, { dueDate: `2026-05-${10 + page}T00:00:00Z` }),
      rest.delete(`/cards/${deleted}`),
      card(two.lists[0], `New ${page}`, { dueDate: "2026-05-01T00:00:00Z" }),
    ]);
    if (page === 2) await rest.put(`/lists/${one.lists[0]}`, { index: 2 });
  }
  const unchanged = seen.filter((id) => !changed.has(id));
  expect(new Set(unchanged).size).toBe(unchanged.length);
  expect(unchanged).toEqual(expect.arrayContaining(ids));
});

test("a cursor of another view is refused", async () => {
  const { save, rest } = await scene();
  const [one, other] = [await save({ sortBy: [{ field: "dueDate" }] }), await save({})];
  const { body } = await rest.get(`/views/${one.publicId}/cards?limit=3`);
  const cursor = encodeURIComponent(body.nextCursor);
  expect((await rest.get(`/views/${other.publicId}/cards?cursor=${cursor}`)).status).toBe(400);
});
