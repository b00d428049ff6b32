import { inBatches } from "../batches.ts";
import type { Query } from "./query.ts";
import { sql } from "./sql.ts";

// Small enough for a statement to stay well within its time limit.
const perStatement = { maxItems: 2_000, maxBytes: 4_000_000 };

/** Items in batches for one statement each. `sizeOf` is the length of the text of an item. */
export const batchesOf = <Item>(items: Iterable<Item>, sizeOf: (item: Item) => number) =>
  inBatches(items, sizeOf, perStatement);

/** A value as JSON. PostgreSQL reads a bigint from a string. */
export const jsonOf = (value: object) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item));

/** Inserts rows that have the same columns, many in a statement. `end` is the statement's end. */
export async function insertRows<Row>(
  query: Query,
  table: string,
  rows: object[],
  end = sql.empty,
): Promise<Row[]> {
  const names = Object.keys(rows[0] ?? {}).map((name) => sql.identifier(name));
  const columns = sql.join(names, sql`, `);
  const into = sql.identifier(table);
  const inserted: Row[] = [];
  for (const batch of batchesOf(rows.map(jsonOf), (json) => json.length)) {
    const some = await query<Row>(sql`
      INSERT INTO ${into} (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::${into}, ${`[${batch.join()}]`}::json)
      ${end}`);
    for (const row of some) inserted.push(row);
  }
  return inserted;
}
