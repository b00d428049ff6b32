import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import type { Query } from "../../src/platform/db/query.ts";
import type { App } from "./app.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { statementOf } from "./statement-of.ts";

/** A statement that only reads, and how many rows its plan reads: of tables, of indexes alone. */
type Read = { text: string; rows: number; indexRows: number };

/** Explains the reads that a call makes of a table or of all, on the data as they are after it. */
export function useRowsRead(
  table?: string,
): (app: Pick<App, "db">, run: () => Promise<unknown>) => Promise<Read[]> {
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const query = Reflect.get(prototype, "query");
  let seen: { text: string; values: unknown[] }[] = [];
  beforeAll(() => {
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      const [first] = values as [{ text?: string; values?: unknown[] } | undefined];
      if (typeof first?.text === "string")
        seen.push({ text: first.text, values: first.values ?? [] });
      return Reflect.apply(query, this, values);
    });
  });
  afterAll(() => Reflect.set(prototype, "query", query));
  const isRead = (text: string) =>
    new RegExp(`(FROM|JOIN) ${table ?? "\\w+"}\\b`).test(text) &&
    !/\b(INSERT|UPDATE|DELETE)\b/.test(text);
  return async ({ db }, run) => {
    seen = [];
    await run();
    const reads: Read[] = [];
    for (const { text, values } of seen.filter((one) => isRead(one.text))) {
      reads.push({ text, ...(await mostRows(db, { text, values }, table)) });
    }
    return reads;
  };
}

/** Runs a statement that may write, and counts the rows that its plan reads. */
export async function rowsOfStatement(
  { db }: Pick<App, "db">,
  run: (query: Query) => Promise<unknown>,
) {
  let rows = { rows: 0, indexRows: 0 };
  await run(async (statement) => {
    rows = await mostRows(db, statement);
    return [];
  });
  return rows;
}

/** PostgreSQL plans a statement for its values at first, and may plan it for all values later. */
const planModes = ["force_custom_plan", "force_generic_plan"];

/** Runs a statement with both plans, as if once, and counts the rows that the worse one reads. */
async function mostRows(
  db: App["db"],
  { text, values }: { text: string; values: readonly unknown[] },
  table?: string,
) {
  const explain = statementOf(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  return db.transact(async (_, query) => {
    const most = { rows: 0, indexRows: 0 };
    await query(sql`SAVEPOINT explained`);
    for (const mode of planModes) {
      await query(sql`ROLLBACK TO explained`);
      await query(sql`SELECT set_config('plan_cache_mode', ${mode}, true)`);
      const [row] = await query<any>(explain);
      const { rows, indexRows } = rowsOf(row["QUERY PLAN"][0].Plan, table);
      most.rows = Math.max(most.rows, rows);
      most.indexRows = Math.max(most.indexRows, indexRows);
    }
    return most;
  });
}

/** How many rows of a table the nodes of a plan looked at. */
function rowsOf(plan: any, table: string | undefined): Omit<Read, "text"> {
  const read = { rows: 0, indexRows: 0 };
  if (
    plan["Relation Name"] !== undefined &&
    plan["Relation Name"] === (table ?? plan["Relation Name"])
  ) {
    const rows =
      (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
    read[plan["Node Type"] === "Index Only Scan" ? "indexRows" : "rows"] = rows;
  }
  for (const inner of plan["Plans"] ?? []) {
    const { rows, indexRows } = rowsOf(inner, table);
    read.rows += rows;
    read.indexRows += indexRows;
  }
  return read;
}
