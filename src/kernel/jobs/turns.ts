import { sql, type Sql } from "../../platform/db/sql.ts";

/**
 * What can start and what runs, as SQL.
 *
 * `waiting` selects id, "accountId", "workspaceId", when either last had a turn ("accountAt",
 * "workspaceAt") and "dueAt", by which equal ones are ordered. `running` selects "accountId",
 * "workspaceId", and "isOwn" where it counts for the limit.
 */
type Turns = { waiting: Sql; running: Sql; maxPerAccount: number };

const of = (column: Sql) => sql`(SELECT count(*) FROM running r WHERE r.${column} = w.${column})`;
const own = sql`(SELECT count(*) FROM running r
  WHERE r."accountId" = w."accountId" AND r."isOwn")`;

/**
 * SQL: who is next, as the table `turns`, whose order is `inTurn`.
 *
 * The account with the fewest running uses is next, of equal ones that whose last turn is longest
 * ago, and so the workspaces of an account: the first of each account comes before the second of
 * any. An account has at most `maxPerAccount`.
 */
export const turnsOf = ({ waiting, running, maxPerAccount }: Turns): Sql => sql`
  running AS MATERIALIZED (${running}),
  placed AS (
    SELECT w.*, ${of(sql`"workspaceId"`)} + row_number() OVER (
      PARTITION BY w."accountId", w."workspaceId" ORDER BY w."dueAt", w.id) AS place
    FROM (${waiting}) w),
  ranked AS (
    SELECT w.*, row_number() OVER (PARTITION BY w."accountId"
      ORDER BY w.place, w."workspaceAt" NULLS FIRST, w."dueAt", w.id) AS nth
    FROM placed w),
  turns AS MATERIALIZED (
    SELECT w.id, w."accountAt", w."dueAt", ${of(sql`"accountId"`)} + w.nth AS turn
    FROM ranked w WHERE ${own} + w.nth <= ${maxPerAccount}::int)`;

/** SQL: the order of the rows of `turns`. */
export const inTurn = sql`turns.turn, turns."accountAt" NULLS FIRST, turns."dueAt", turns.id`;
