import type { Sql } from "./sql.ts";

/**
 * Runs one prepared statement; int8 comes back as bigint, timestamps as Date.
 * A text with `$1`-style values is the old form: write `query(sql`…`)`.
 */
export type Query = <Row>(statement: Sql | string, values?: unknown[]) => Promise<Row[]>;
