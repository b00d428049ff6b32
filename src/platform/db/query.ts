import type { Sql } from "./sql.ts";

/** Runs one prepared statement; int8 comes back as bigint, timestamps as Date. */
export type Query = <Row>(statement: Sql) => Promise<Row[]>;
