import type { Sql } from "./sql.ts";

/** Runs one prepared statement; int8 comes back as bigint, timestamps as Date. */
export type Query = <Row>(statement: Sql) => Promise<Row[]>;

/** The row of a statement that always returns one. */
export function firstRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("The statement returned no row.");
  return row;
}
