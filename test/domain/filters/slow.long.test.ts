import { expect, test } from "vitest";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ isolated: true });
/** Each condition of each card takes PostgreSQL some 0.1 ms: all of them more than a call may take. */
const [cards, conditions, letters] = [1_200, 50, 10_000];

test("a page ends early where a filter takes long, and the next one goes on", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  await fill(app(), board.lists[0] ?? "", { cards });
  await app().db.transact(async (_, query) => {
    await query(allowLongStatements);
    await query(sql`UPDATE cards SET description = repeat('abcde fgh ', ${letters / 10}::int)`);
  });
  const filter: FilterTree = {
    or: Array.from({ length: conditions }, (_, nth) => ({
      field: "description",
      op: "contains",
      value: `nowhere ${nth}`,
    })),
  };
  const view = await rest.post(`/workspaces/${workspace.publicId}/views`, { name: "None", filter });
  const groups = await rest.get(`/views/${view.body.publicId}/groups`);
  expect(groups).toMatchObject({ status: 200, body: { total: 0 } });
  expect(await rest.get(`/views/${view.body.publicId}/cards`)).toMatchObject({ status: 200 });

  const query = (cursor?: string) =>
    rest.post(`/boards/${board.publicId}/cards/query`, { filter, cursor });
  const first = await query();
  expect(first).toMatchObject({ status: 200, body: { items: [] } });
  if (first.body.nextCursor !== null)
    expect(await query(first.body.nextCursor)).toMatchObject({ status: 200 });
});
