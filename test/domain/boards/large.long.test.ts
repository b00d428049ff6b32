import { describe, expect, test } from "vitest";
import { rebuildSearch } from "../../../src/domain/search/rebuild.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { fill } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { turn, useCost } from "../../support/statements.ts";
import { labelAndCheck } from "./many.ts";

const app = useApp();

const cost = useCost();

const filled = ["cards", "card_labels", "checklists", "checklist_items"];

/** A board with so many cards on each of its lists, each card with a label and a checklist. */
async function boardOf(workspace: Workspace, cards: number, lists = ["One", "Two"]) {
  const board = await makeBoard(workspace, { lists });
  for (const list of board.lists) await fill(app(), list, cards);
  await labelAndCheck(app(), board.publicId);
  await rebuildSearch(app().db);
  // As after an import: PostgreSQL may have counted in the middle of that.
  for (const table of filled) await app().db.write(sql`ANALYZE ${sql.identifier(table)}`);
  return board;
}

describe("a large board", () => {
  test("takes as many statements with 1,000 cards as with 10, whatever is done with it", async () => {
    const workspace = await makeWorkspace(app());
    const target = await makeWorkspace(app(), workspace.admin);
    const { rest } = workspace.admin;
    const me = (await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
    const costs = async (cards: number) => {
      const { publicId, labels } = await boardOf(workspace, cards / 2);
      const { slug } = (await rest.put(`/boards/${publicId}`, { visibility: "public" })).body;
      const board = `/boards/${publicId}`;
      const home = `/workspaces/${workspace.publicId}`;
      return {
        "board.list": await cost(() => rest.get(`${home}/boards`)),
        "board.get": await cost(() => rest.get(board)),
        "board.get, filtered": await cost(() =>
          rest.get(`${board}?labels=${labels[0]}&due=none&archived=true&cardLimit=50`),
        ),
        "board.getBySlug": await cost(() =>
          rest.get(`/workspaces/by-slug/${workspace.slug}/boards/${slug}`),
        ),
        "board.cards": await cost(() => rest.get(`${board}/cards?limit=100&sort=dueDate`)),
        "board.members": await cost(() => rest.get(`${board}/members`)),
        "board.activity": await cost(() => rest.get(`${board}/activities`)),
        "board.favourite": await cost(() => rest.put(`${board}/favourite`, { favourite: true })),
        "board.addMember": await cost(() => rest.put(`${board}/members/${me}`)),
        "board.update": await cost(() => rest.put(board, { name: `Of ${cards}` })),
        "board.create from it": await cost(() =>
          rest.post(`${home}/boards`, {
            name: `Copy of ${cards}`,
            sourceBoardPublicId: publicId,
          }),
        ),
        "board.delete": await cost(() => rest.delete(board)),
        "board.restore": await cost(() => rest.post(`${board}/restore`)),
        "board.move": await cost(() =>
          rest.post(`${board}/move`, { workspacePublicId: target.publicId }),
        ),
      };
    };
    await costs(2);
    const few = await costs(10);
    expect(await costs(1_000)).toEqual({
      ...few,
      "board.get": few["board.get"] + turn,
      "board.get, filtered": few["board.get, filtered"] + turn,
      // Streams may read the event of a long move before it is answered.
      "board.move": expect.toBeOneOf([few["board.move"], few["board.move"] + 1]),
    });
    const {
      "board.move": move,
      "board.create from it": copy,
      "board.restore": restore,
      ...others
    } = few;
    // BEGIN and COMMIT included: each is a round trip for every caller.
    expect(Math.max(...Object.values(others))).toBeLessThanOrEqual(11);
    expect(Math.max(move, copy, restore)).toBeLessThanOrEqual(71);
  });

  test("of 5,000 cards stays under 150 kB with a cardLimit of 50", async () => {
    const workspace = await makeWorkspace(app());
    const board = await boardOf(workspace, 1_000, ["Ideas", "To do", "Doing", "Review", "Done"]);
    const { status, body } = await workspace.admin.rest.get(
      `/boards/${board.publicId}?cardLimit=50`,
    );
    expect(status).toBe(200);
    expect(body.lists.map(({ cards, cardCount }: any) => [cards.length, cardCount])).toEqual(
      Array.from({ length: 5 }, () => [50, 1_000]),
    );
    expect(body.lists[0].cards[0]).toMatchObject({
      labels: [{ publicId: board.labels[0] }],
      checklistItems: { total: 1 },
    });
    expect(JSON.stringify(body).length).toBeLessThan(150_000);
    const { publicId } = (await workspace.admin.rest.get(`/boards/${board.publicId}/cards?limit=1`))
      .body.items[0];
    expect(publicId).toBe(body.lists[0].cards[0].publicId);
  });

  test("of 5,000 cards is copied and moved completely, in order", async () => {
    const workspace = await makeWorkspace(app());
    const target = await makeWorkspace(app(), workspace.admin);
    const { rest } = workspace.admin;
    // Ids that `fill` makes go by the counter: no two workspaces may stand at the same.
    await makeCard(workspace.admin, (await makeBoard(workspace)).lists[0] ?? "");
    const board = await boardOf(workspace, 2_500);
    const titles = ({ lists }: any) =>
      lists.map(({ cards }: any) => cards.map(({ title, index }: any) => [title, index]));
    const original = await rest.get(`/boards/${board.publicId}`);
    expect(original).toMatchObject({ status: 200 });
    const before = titles(original.body);
    expect(before[0]).toHaveLength(2_500);
    const copy = await rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Copy",
      sourceBoardPublicId: board.publicId,
    });
    expect(copy).toMatchObject({ status: 200 });
    expect(titles(copy.body)).toEqual(before);
    const moved = await rest.post(`/boards/${board.publicId}/move`, {
      workspacePublicId: target.publicId,
    });
    expect(moved).toMatchObject({ status: 200 });
    expect(titles(moved.body)).toEqual(before);
  });
});
