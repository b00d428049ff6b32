import { sql, type Sql } from "./sql.ts";

/** A row with a version. */
type Versioned = { id: bigint; version: number };

/** The tables whose rows have versions. */
type Table = "lists" | "cards" | "checklists" | "checklist_items" | "comments" | "attachments";

/** Changes a row that is locked, counts its version up and returns the row as it is then. */
export function updateRow<Row extends Versioned>(
  tx: { send: (statement: Sql) => void },
  table: Table,
  row: Row,
  fields: Partial<Row>,
  versions = 1,
): Row {
  const sets = Object.entries(fields).map(
    ([name, value]) => sql`${sql.identifier(name)} = ${value}`,
  );
  tx.send(sql`UPDATE ${sql.identifier(table)} SET ${sql.join(sets, sql`, `)},
      version = version + ${versions}
    WHERE id = ${row.id}`);
  return { ...row, ...fields, version: row.version + versions };
}
