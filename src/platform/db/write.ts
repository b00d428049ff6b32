import type { Query } from "./query.ts";
import { sql, type Sql } from "./sql.ts";

/** A row with a version. */
type Versioned = { id: bigint; version: number };

/** SQL: sets columns and increments the version. */
export const setOf = (fields: object, versions = 1): Sql =>
  sql.join(
    [
      ...Object.entries(fields).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
      sql`version = version + ${versions}`,
    ],
    sql`, `,
  );

/** Changes a locked row, increments its version and returns the new row. */
export function updateRow<Row extends Versioned>(
  tx: { query: Query },
  table: string,
  row: Row,
  fields: Partial<Row>,
  versions = 1,
): Row {
  void tx.query(sql`UPDATE ${sql.identifier(table)} SET ${setOf(fields, versions)}
    WHERE id = ${row.id}`);
  return { ...row, ...fields, version: row.version + versions };
}
