import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";

// A database of its own has no statistics yet.
const app = useApp({ isolated: true });
const rowsRead = useRowsRead();
const boards = 60;

test("the cost of finding a target does not grow with the boards, also without statistics", async () => {
  const { rest } = await makeUser(app());
  const workspace = (await rest.post("/workspaces", { name: "Many boards" })).body;
  const cards: string[] = [];
  for (let count = 0; count < boards; count++) {
    const path = `/workspaces/${workspace.publicId}/boards`;
    const board = (await rest.post(path, { name: `Board ${count}`, lists: ["List"] })).body;
    const listPublicId = board.lists[0].publicId;
    cards.push((await rest.post("/cards", { listPublicId, title: "Card" })).body.publicId);
  }
  const reads = await rowsRead(app(), () => rest.get(`/cards/${cards[3]}`));
  expect(reads.length).toBeGreaterThan(0);
  for (const { rows, indexRows, text } of reads) {
    expect(rows + indexRows, text).toBeLessThan(boards);
  }
});
