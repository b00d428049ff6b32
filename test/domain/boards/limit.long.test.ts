import { beforeAll, describe, expect, test } from "vitest";
import { fill } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

/** The documented limit of cards of a board. */
const cards = 50_000;

// Filling a board costs more than most calls: the tests use one, in their order.
let workspace: Workspace;
let board: Board;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace, { lists: ["One", "Two"] });
  await fill(app(), board.lists[0] ?? "", cards);
});

describe(`with ${cards.toLocaleString("en")} cards on one list of a board`, () => {
  test("board.create copies them", async () => {
    const { status, body } = await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/boards`,
      { name: "Copy", sourceBoardPublicId: board.publicId },
    );
    expect([status, body.issues]).toEqual([200, undefined]);
    const where = { board: { publicId: body.publicId } };
    expect(await app().db.reader.card.count({ where })).toBe(cards);
  });

  test("list.sort sorts them", async () => {
    const { status, body } = await workspace.admin.rest.post(`/lists/${board.lists[0]}/sort`, {
      by: "title",
      order: "desc",
    });
    expect([status, body]).toEqual([200, { success: true }]);
  });

  test("board.move moves them to another workspace", { timeout: 600_000 }, async () => {
    const target = await makeWorkspace(app(), workspace.admin);
    const { status, body } = await workspace.admin.rest.post(`/boards/${board.publicId}/move`, {
      workspacePublicId: target.publicId,
    });
    expect([status, body.issues]).toEqual([200, undefined]);
    const where = { workspace: { publicId: target.publicId } };
    expect(await app().db.reader.card.count({ where })).toBe(cards);
    workspace = target;
  });

  test(
    "list.moveCards moves them to another list and to another board",
    { timeout: 600_000 },
    async () => {
      const { rest } = workspace.admin;
      const other = await makeBoard(workspace, { lists: ["Target"] });
      const [one, two] = board.lists;
      for (const [from, to] of [
        [one, two],
        [two, other.lists[0]],
      ]) {
        const reply = await rest.post(`/lists/${from}/move-cards`, { targetListPublicId: to });
        expect([reply.status, reply.body]).toEqual([200, { moved: cards }]);
      }
      const moved = await app().db.reader.event.count({ where: { type: "card.moved" } });
      expect(moved).toBe(2 * cards);
    },
  );
});
