import { expect, test } from "vitest";
import { readEventPayloads } from "../../../src/domain/cards/event-payloads.ts";
import { shownParts } from "../../../src/domain/cards/parts-sql.ts";
import type { Query } from "../../../src/platform/db/query.ts";
import { cardRows, fill } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });

/** How many rows the nodes of a plan have looked at. */
function rowsOf(plan: any): number {
  const removed =
    (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Join Filter"] ?? 0);
  const own = (plan["Actual Rows"] + removed) * plan["Actual Loops"];
  return (plan["Plans"] ?? []).reduce((sum: number, inner: any) => sum + rowsOf(inner), own);
}

/** How many rows are read for the states of so many cards, whose versions rise by two. */
async function rowsFor(count: number): Promise<number> {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace, { lists: ["One"] });
  const [list = ""] = lists;
  await fill(app(), list, count);
  const cards = await cardRows(app(), list);
  let rows = 0;
  const explain: Query = async ({ text, values }) => {
    const [found] = await app().db.write<any>(
      statementOf(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values),
    );
    rows += rowsOf(found["QUERY PLAN"][0].Plan);
    return [];
  };
  await readEventPayloads(
    { query: explain, now: new Date() },
    cards.map(({ publicId }) => ({ publicId, versions: 2, isNew: false })),
    { parts: new Set(["labels", "comments"]), read: shownParts, mayBeClaimed: true },
  );
  return rows;
}

test("the rows that are read for the states of cards grow as the cards do", async () => {
  // Below some hundred rows PostgreSQL takes any index of a table without statistics.
  const [few, many] = [await rowsFor(600), await rowsFor(3_000)];
  expect(many).toBeLessThan(few * 7);
});
