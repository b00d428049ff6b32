import { sql, type Sql } from "./sql.ts";

/** The tables whose rows several kinds of writes change, many at a time. */
type Table = "notifications" | "events" | "api_keys" | "delivery_attempts" | "idempotency_keys";

/**
 * SQL: whether a row is one of those of a table that meet a condition.
 *
 * It locks them in the order of their ids, so that no two writes of many rows can deadlock.
 */
export const inOrder = (table: Table, where: Sql, lock = sql`NO KEY UPDATE`): Sql =>
  sql`id = ANY (ARRAY(SELECT id FROM ${sql.identifier(table)} WHERE ${where}
    ORDER BY id FOR ${lock}))`;
