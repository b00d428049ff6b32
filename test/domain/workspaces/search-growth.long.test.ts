import { expect, test } from "vitest";
import { fill } from "../../transfer/exports/many.ts";
import { useApp } from "../../support/app.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { statementOf } from "../../support/statement-of.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead("search_texts");
const cards = Number(process.env["SEARCH_CARDS"] ?? 20_000);
/** The most cards that one statement of the fixture adds. */
const atOnce = 5_000;

test(
  "a search reads at most the hits that it ranks, however many cards match",
  { timeout: 3_600_000 },
  async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    for (let left = cards; left > 0; left -= atOnce) {
      const [list = ""] = (await makeBoard(workspace)).lists;
      await fill(app(), list, { cards: Math.min(left, atOnce), comments: 1 });
    }
    const [list = ""] = (await makeBoard(workspace)).lists;
    const rare = await makeCard(workspace.admin, list, "Zanzibar");
    await app().db.write(statementOf("ANALYZE"));
    const search = (query: string) => () =>
      rest.get(`/workspaces/${workspace.publicId}/search?query=${encodeURIComponent(query)}`);
    for (const [query, most] of [
      ["card", 2_500],
      ["what has", 3_500],
      ["what has to be done", 3_500],
      ["ca", 2_500],
      ["carb", 2_500],
      ["zanzibar", 100],
      ["zanzibra", 100],
      ["zanzibra crad", 100],
      ["nothing like it", 100],
    ] as const) {
      const reads = await rowsRead(app(), search(query));
      const rows = reads.reduce((sum, read) => sum + read.rows + read.indexRows, 0);
      expect(reads.length).toBeGreaterThan(0);
      expect([query, rows, rows <= most]).toEqual([query, rows, true]);
    }
    const { body } = await search("zanzibra")();
    expect(body.items[0].publicId).toBe(rare);
    expect((await search("card")()).body.isCapped).toBe(true);
  },
);
