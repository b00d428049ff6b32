import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type Options = {
  columns?: Sql;
  /** Fails instead of waiting: for cards that came after a lock that is later in the order. */
  nowait?: boolean;
};

/** SQL: locks the cards of a condition in the order of their ids. */
export const lockedCards = (isCard: Sql, { columns = sql`id`, nowait = false }: Options = {}) =>
  sql`SELECT ${columns} FROM cards WHERE ${isCard}
    ORDER BY id FOR NO KEY UPDATE ${nowait ? sql`NOWAIT` : sql.empty}`;

/** Locks the cards of a condition, and with them all that is on the cards. */
export async function lockCards(query: Query, isCard: Sql, options?: Options): Promise<void> {
  await query(sql`SELECT count(*) FROM (${lockedCards(isCard, options)}) AS locked`);
}

/** SQL: whether a card is one of those that a statement selects, before it waits for any. */
export const isCardOf = (ids: Sql): Sql => sql`id = ANY (ARRAY(${ids}))`;
