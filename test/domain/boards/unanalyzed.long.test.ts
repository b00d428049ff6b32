import pg from "pg";
import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";
import { labelAndCheck } from "./many.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead();
const [all, page] = [10_000, 100];
/** The most rows that a shown card may cost: its own, those of its relations, and a few labels. */
const perCard = 100;
/** The most rows of cards: a list is counted, and before there are statistics it is sorted. */
const perBoard = 3 * all;

async function vacuumAnalyze(table = "") {
  const client = new pg.Client(app().url);
  await client.connect();
  await client.query(`VACUUM ANALYZE ${table}`);
  await client.end();
}

/** A board with many lists: PostgreSQL could begin with all lists that there are. */
const makeLists = (workspace: Workspace) =>
  makeBoard(workspace, { lists: Array.from({ length: 40 }, (_, nth) => `List ${nth}`) });

type Knowledge = (board: Board, workspace: Workspace) => Promise<unknown>;

/** What PostgreSQL knows of the tables when they are filled. */
const knowledge: Record<string, Knowledge> = {
  nothing: (_, workspace) => makeLists(workspace),
  "that they are empty": () => vacuumAnalyze(),
  "all but most lists": async (_, workspace) => {
    await vacuumAnalyze();
    await makeLists(workspace);
  },
  "that one card has all comments": async ({ lists }) => {
    await fill(app(), lists[1] ?? "", { cards: 1, comments: 6_000 });
    await vacuumAnalyze();
  },
};

test.each(Object.entries(knowledge))(
  "cards are read with what they show alone, where PostgreSQL knows %s",
  async (known, prepare) => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    await prepare(board, workspace);
    await fill(app(), board.lists[0] ?? "", { cards: all, comments: 1 });
    await labelAndCheck(app(), board.publicId);
    if (known === "all but most lists") await vacuumAnalyze("cards");
    const url = `/boards/${board.publicId}`;
    const filter = { field: "title", op: "contains", value: "nowhere" };
    const views = `/workspaces/${workspace.publicId}/views`;
    const { body: view } = await rest.post(views, {
      name: "None",
      filter,
      groupBy: { field: "list" },
    });
    const filtered = `filter=${encodeURIComponent(JSON.stringify(filter))}`;
    for (const path of [
      `/views/${view.publicId}/groups`,
      `/views/${view.publicId}/cards`,
      `${url}/cards?${filtered}`,
      `${url}?cardLimit=${page}&${filtered}`,
    ]) {
      const reads = await rowsRead(app(), async () => {
        expect(await rest.get(path)).toMatchObject({ status: 200 });
      });
      const many = reads.filter(({ rows, indexRows }) => rows + indexRows > 2 * perBoard);
      expect(many.map(({ text, ...rows }) => [path, rows, text])).toEqual([]);
    }
    for (const path of [
      `${url}/cards?limit=${page}`,
      `/lists/${board.lists[0]}/cards?limit=${page}`,
      `${url}?cardLimit=${page}`,
      `${url}?due=none&cardLimit=${page}`,
    ]) {
      const reads = await rowsRead(app(), async () => {
        expect((await rest.get(path)).status).toBe(200);
      });
      const relations = reads.filter(({ text }) =>
        /card_labels|checklist_items|counted/.test(text),
      );
      expect(relations.length).toBeGreaterThan(0);
      expect(relations.filter(({ rows, indexRows }) => rows + indexRows > page * perCard)).toEqual(
        [],
      );
      expect(reads.filter(({ rows, indexRows }) => rows + indexRows > perBoard)).toEqual([]);
    }
  },
);
