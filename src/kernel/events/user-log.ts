import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { rowBytes } from "../../platform/db/written.ts";
import { nextNumbers } from "./log-sql.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** An event of a user before it has a number. */
export type UserEventRow = { userId: string; type: string; data: Record<string, unknown> };

/** SQL: selected events of users as one value. */
export const userEventList = (sources: Sql[]): Sql => sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('userId', one."userId"::text, 'type', one.type,
    'data', one.data)), '[]') FROM (${sql.join(sources, sql` UNION ALL `)}) one)`;

/**
 * Writes events of users, and answers who they are.
 *
 * They name no actor: what a user's own log shows does not change when another account is deleted.
 */
export async function appendUserEvents(
  query: Query,
  events: UserEventRow[],
  now: Date,
): Promise<bigint[]> {
  const personal = JSON.stringify(events.map((event) => ({ ...event, publicId: publicId() })));
  const counts = sql`SELECT "userId", count(*) FROM personal GROUP BY "userId" ORDER BY "userId"`;
  const rows = await query<{ userId: bigint }>(sql`
    WITH personal AS MATERIALIZED (
      SELECT * FROM ROWS FROM (jsonb_to_recordset(${personal}::jsonb)
        AS ("userId" bigint, type text, data jsonb, "publicId" text)) WITH ORDINALITY
        AS given("userId", type, data, "publicId", nth)),
    counters AS (${nextNumbers("user", counts)}),
    appended AS (
      INSERT INTO events
        ("userId", number, "publicId", type, "actorType", "actorName", data, "createdAt")
      SELECT "userId", counters.last + 1 - row_number() OVER (
          PARTITION BY "userId" ORDER BY personal.nth DESC),
        personal."publicId", personal.type, 'system', '', personal.data,
        ${now}::timestamptz
      FROM personal JOIN counters USING ("userId") RETURNING "userId")
    SELECT DISTINCT "userId" FROM appended`);
  return rows.map(({ userId }) => userId);
}

/** Sends the events of users of a transaction. */
export function sendUserEvents(tx: UnitOfWork, events: UserEventRow[]): void {
  if (events.length === 0) return;
  const reached = appendUserEvents(tx.query, events, tx.now);
  tx.written.bytes += events.length * rowBytes;
  tx.recordChange(
    null,
    reached.then((userIds) => ({ hasWork: false, userIds })),
  );
}
