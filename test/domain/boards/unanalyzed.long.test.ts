import pg from "pg";
import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board } from "../../support/make.ts";
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

async function vacuumAnalyze() {
  const client = new pg.Client(app().url);
  await client.connect();
  await client.query("VACUUM ANALYZE");
  await client.end();
}

/** What PostgreSQL knows of the tables when they are filled. */
const knowledge = {
  nothing: async () => undefined,
  "that they are empty": vacuumAnalyze,
  "that one card has all comments": async ({ lists }: Board) => {
    await fill(app(), lists[1] ?? "", { cards: 1, comments: 6_000 });
    await vacuumAnalyze();
  },
};

test.each(Object.entries(knowledge))(
  "cards are read with what they show alone, where PostgreSQL knows %s",
  async (_, prepare) => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    await prepare(board);
    await fill(app(), board.lists[0] ?? "", { cards: all, comments: 1 });
    await labelAndCheck(app(), board.publicId);
    const url = `/boards/${board.publicId}`;
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
