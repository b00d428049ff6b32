import type { Query } from "./query.ts";
import type { Card } from "./rows.ts";

type Tables = { cards: Card };

const sqlOf = new Map<string, string>();

/** Updates one row, increments its version and returns the row. */
export async function updateRow<Table extends keyof Tables>(
  query: Query,
  table: Table,
  id: bigint,
  fields: Partial<Tables[Table]>,
): Promise<Tables[Table]> {
  const names = Object.keys(fields);
  const sql = remembered(`=${table} ${names.join(" ")}`, () => {
    const sets = names.map((name, index) => `"${name}" = $${index + 2}`).join(", ");
    return `UPDATE ${table} SET ${sets}, version = version + 1 WHERE id = $1 RETURNING *`;
  });
  return only(await query<Tables[Table]>(sql, [id, ...Object.values(fields)]));
}

function remembered(key: string, make: () => string): string {
  const sql = sqlOf.get(key) ?? make();
  sqlOf.set(key, sql);
  return sql;
}

function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("The row does not exist.");
  return row;
}
