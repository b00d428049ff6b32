import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import {
  makeBoard,
  makeCard,
  makeWorkspace,
  type Board,
  type Workspace,
} from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let board: Board;

/** Titles show the position; creation and due dates have other orders. */
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one, two] = board.lists;
  const { rest } = workspace.admin;
  const add = (title: string, listPublicId: string | undefined, day: number | null) => {
    app().advance(1_000);
    const dueDate = day === null ? null : `2030-01-0${day}T00:00:00Z`;
    return rest.post("/cards", { title, listPublicId, index: 0, dueDate });
  };
  await add("4", two, 2);
  await add("3", two, null);
  await add("2", one, 1);
  await add("1", one, 2);
  await add("0", one, null);
});

const read = (query: string) =>
  workspace.admin.rest.get(`/boards/${board.publicId}/cards?${query}`);
const titles = (body: { items: { title: string }[] }) =>
  body.items.map(({ title }) => title).join("");

async function pages(query: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ""; found.length < 20;) {
    const { status, body } = await read(`${query}&limit=${limit}${cursor}`);
    expect(status).toBe(200);
    found.push(titles(body));
    if (body.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  throw new Error("The cursor loops for ever.");
}

describe("board.cards", () => {
  test.each([
    ["position", "01234"],
    ["dueDate", "24103"],
    ["createdAt", "01234"],
  ])("sorts by %s, and its pages are the whole in order", async (sort, expected) => {
    const whole = titles((await read(`sort=${sort}`)).body);
    if (sort === "dueDate") {
      // Cards with equal due dates, or without one, are in the order of creation.
      expect(whole).toMatch(/^2(14|41)(03|30)$/);
    } else expect(whole).toBe(expected);
    for (const limit of [1, 2, 5])
      expect((await pages(`sort=${sort}`, limit)).join("")).toBe(whole);
  });

  test("sorts by updatedAt, the latest first", async () => {
    const { body } = await read("lists=" + board.lists[1]);
    app().advance(1_000);
    await workspace.admin.rest.put(`/cards/${body.items[1].publicId}`, { description: "new" });
    expect(titles((await read("sort=updatedAt")).body)).toBe("40123");
    expect((await pages("sort=updatedAt", 2)).join("")).toBe("40123");
  });

  test("continues after its last card was deleted, and repeats nothing when a card is added before it", async () => {
    const own = await makeBoard(workspace, { lists: ["One"] });
    const [list = ""] = own.lists;
    const made = [];
    for (const title of ["a", "b", "c", "d"])
      made.push(await makeCard(workspace.admin, list, title));
    const first = await workspace.admin.rest.get(`/boards/${own.publicId}/cards?limit=2`);
    expect(titles(first.body)).toBe("ab");
    await workspace.admin.rest.delete(`/cards/${made[1]}`);
    await workspace.admin.rest.post("/cards", { title: "new", listPublicId: list, index: 0 });
    const cursor = encodeURIComponent(first.body.nextCursor);
    const next = await workspace.admin.rest.get(
      `/boards/${own.publicId}/cards?limit=2&cursor=${cursor}`,
    );
    expect(titles(next.body)).toBe("cd");
    expect(next.body.nextCursor).toBeNull();
  });

  test("refuses a cursor of another board, of another order, or a forged one", async () => {
    const { body } = await read("limit=1");
    const cursor = encodeURIComponent(body.nextCursor);
    const other = await makeBoard(workspace);
    const replies = [
      await workspace.admin.rest.get(`/boards/${other.publicId}/cards?cursor=${cursor}`),
      await read(`sort=dueDate&cursor=${cursor}`),
      await read("cursor=made-up"),
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: ["cursor"] }] } });
  });

  test("shows no card of a deleted list", async () => {
    const own = await makeBoard(workspace, { lists: ["One", "Gone"] });
    for (const list of own.lists) await makeCard(workspace.admin, list);
    await workspace.admin.rest.delete(`/lists/${own.lists[1]}`);
    const { body } = await workspace.admin.rest.get(`/boards/${own.publicId}/cards`);
    expect(body.items).toMatchObject([{ listPublicId: own.lists[0] }]);
  });
});
