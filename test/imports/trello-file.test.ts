import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeWorkspace } from "../support/make.ts";
import { boardOf, importFile } from "./importing.ts";
import { makeExport } from "./trello-export.ts";

const app = useApp();

test("brings one card over", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 1 });
  const done = await importFile(app(), home, source);
  expect(done).toMatchObject({ status: "completed", error: null });
  console.log(JSON.stringify(done, null, 1).slice(0, 6000));
  const board = await boardOf(home, done.boards[0].publicId);
  console.log(JSON.stringify(board, null, 1).slice(0, 3000));
});
