import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";
import { labelAndCheck } from "./many.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead();
/** The most rows that one shown card may cost: its own, and those of its relations. */
const perCard = 25;

test("cards are read with their relations alone, before there are statistics", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists: ["One"] });
  await fill(app(), board.lists[0] ?? "", { cards: 10_000, comments: 1 });
  await labelAndCheck(app(), board.publicId);
  const url = `/boards/${board.publicId}`;
  for (const path of [
    `${url}/cards?limit=20`,
    `${url}?cardLimit=20`,
    `${url}?due=none&cardLimit=20`,
  ]) {
    const reads = await rowsRead(app(), async () => {
      expect((await rest.get(path)).status).toBe(200);
    });
    const relations = reads.filter(({ text }) => /card_labels|checklist_items/.test(text));
    expect(relations.length).toBeGreaterThan(0);
    for (const { text, rows } of relations)
      expect([text, rows <= 20 * perCard]).toEqual([text, true]);
  }
});
