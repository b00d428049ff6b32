import { sql, type Sql } from "./sql.ts";

/** The tables in which several kinds of writes change many rows at a time. */
type Table =
  | "card_relations"
  | "notifications"
  | "events"
  | "api_keys"
  | "delivery_attempts"
  | "idempotency_keys";

/**
 * SQL: whether a row of a table meets a condition.
 *
 * Locks such rows in the order of their ids, so that two writes of many rows cannot deadlock.
 */
export const inOrder = (table: Table, where: Sql, lock = sql`NO KEY UPDATE`): Sql =>
  sql`id = ANY (ARRAY(SELECT id FROM ${sql.identifier(table)} WHERE ${where}
    ORDER BY id FOR ${lock}))`;
