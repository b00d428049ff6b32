import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp();
const [cards, every] = [1_000, 10];

test("an event of a card writes none of its indexes, also where the pages are filled", async () => {
  const { lists } = await makeBoard(await makeWorkspace(app()), { lists: ["One"] });
  await fill(app(), lists[0] ?? "", { cards });
  const [before, after] = await app().db.transact(async (_, run) => {
    // The connection may have counted updates of earlier transactions.
    const count = () =>
      run<{ updated: number; hot: number }>(sql`SELECT n_tup_upd::int AS updated,
        n_tup_hot_upd::int AS hot FROM pg_stat_xact_user_tables WHERE relname = 'cards'`);
    const [first] = await count();
    await run(sql`UPDATE cards c SET version = c.version + 1 FROM lists l
      WHERE l.id = c."listId" AND l."publicId" = ${lists[0] ?? ""} AND c.id % ${every}::int = 0`);
    const [last] = await count();
    return [first, last];
  });
  const added = (name: "updated" | "hot") => (after?.[name] ?? 0) - (before?.[name] ?? 0);
  expect([added("updated"), added("hot")]).toEqual([cards / every, cards / every]);
});
