import { expect, test } from "vitest";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ isolated: true });
/** Each condition of each card takes PostgreSQL some 0.5 ms: all of them many times the deadline. */
const [cards, letters] = [3_000, 10_000];
const filter: FilterTree = {
  or: Array.from({ length: 50 }, (_, nth) => ({
    field: "description",
    op: "contains",
    value: `nöwhere ${nth}`,
  })),
};

test("a filter that takes too long ends, and says what to do", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  await fill(app(), board.lists[0] ?? "", { cards });
  await app().db.transact(async (_, query) => {
    await query(allowLongStatements);
    await query(sql`UPDATE cards SET description = repeat('äbcde fgh ', ${letters / 10}::int)`);
  });
  const path = `/boards/${board.publicId}/cards/query`;
  expect(await workspace.admin.rest.post(path, { filter })).toMatchObject({
    status: 503,
    body: { issues: [{ code: "timeout" }] },
  });
});
