import type { StoredUserEvent } from "../../contract/user-events.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { rowBytes } from "../../platform/db/written.ts";
import type { LogPosition } from "./cursor.ts";
import { nextNumbers, userLog } from "./log-sql.ts";
import type { WrittenWork } from "./notifier.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** An event of a user before it has a number. */
export type UserEventRow = { userId: string; type: string; data: Record<string, unknown> };

/** A row of the log of a user. */
export type UserLogRow = LogPosition & { createdAt: Date; userId: bigint } & StoredUserEvent;

/** How many events one read finds for each reader. */
const batch = 100;

/** SQL: selects events of users from JSON, in their order. */
export const userEventsIn = (events: UserEventRow[]): Sql => sql`
  SELECT "userId", type, data FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
    AS given("userId" bigint, type text, data jsonb)`;

/** SQL: selected events of users as one value. */
export const userEventList = (events: Sql): Sql => sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('userId', one."userId"::text, 'type', one.type,
    'data', one.data)), '[]') FROM (${events}) one)`;

/** SQL: writes selected events of users, as the tables `personal`, `counters` and `appended`. */
export const appendUserEvents = (events: Sql, now: Date): Sql => sql`personal AS MATERIALIZED (
    SELECT one.*, row_number() OVER () AS nth FROM (${events}) one),
  counters AS (${nextNumbers(
    userLog(0n),
    sql`SELECT "userId", count(*) FROM personal GROUP BY "userId" ORDER BY "userId"`,
  )}),
  appended AS (
    INSERT INTO user_events ("userId", number, "publicId", type, data, "createdAt")
    SELECT "userId", counters.last + 1 - row_number() OVER (
        PARTITION BY "userId" ORDER BY personal.nth DESC),
      ${newPublicIdSql(sql`personal.nth`)}, personal.type, personal.data, ${now}::timestamptz
    FROM personal JOIN counters USING ("userId") RETURNING "userId")`;

/** Who to wake after a statement, as its row: `userIds` have new events. */
export type WorkRow = { hasWork: boolean; userIds: string[] };

/** Converts that row to what a transaction records. */
export const workOf = ({ hasWork, userIds }: WorkRow): WrittenWork => ({
  hasWork,
  userIds: userIds.map(BigInt),
});

/** Sends the statement that writes events of users alone. */
export function insertUserEvents(tx: UnitOfWork, events: UserEventRow[]): void {
  if (events.length === 0) return;
  const inserted = tx.query<WorkRow>(sql`
    WITH ${appendUserEvents(userEventsIn(events), tx.now)}
    SELECT false AS "hasWork", ARRAY(SELECT "userId"::text FROM appended) AS "userIds"`);
  tx.written.bytes += events.length * rowBytes;
  tx.recordChange(
    null,
    inserted.then(([row]) => workOf(row ?? { hasWork: false, userIds: [] })),
  );
}

/**
 * Reads the logs of many readers after their positions: a list of rows for each of them.
 *
 * A list is undefined where the log does not have the event of the position: the database was
 * restored.
 */
export async function readUserLogs(
  query: Query,
  readers: readonly { userId: bigint; position: LogPosition }[],
): Promise<(UserLogRow[] | undefined)[]> {
  type Row = { [Name in keyof UserLogRow]: UserLogRow[Name] | null };
  const rows = await query<Row & { reader: bigint; isKnown: boolean }>(sql`
    SELECT r.reader, r."publicId" IS NULL OR EXISTS (SELECT 1 FROM user_events known
        WHERE known."userId" = r."userId" AND known.number = r.number
          AND known."publicId" = r."publicId") AS "isKnown", e.*
    FROM unnest(${readers.map((reader) => reader.userId)}::bigint[],
      ${readers.map(({ position }) => position.number)}::bigint[],
      ${readers.map(({ position }) => position.publicId)}::text[])
      WITH ORDINALITY AS r("userId", number, "publicId", reader)
    LEFT JOIN LATERAL (
      SELECT e."userId", e.number, e."publicId", e.type, e.data, e."createdAt"
      FROM user_events e WHERE e."userId" = r."userId" AND e.number > r.number
      ORDER BY e.number LIMIT ${batch}::int) e ON true
    ORDER BY r.reader, e.number`);
  const lists = readers.map((): UserLogRow[] | undefined => []);
  for (const { reader, isKnown, ...row } of rows) {
    const nth = Number(reader) - 1;
    if (!isKnown) lists[nth] = undefined;
    else if (isEvent(row)) lists[nth]?.push(row);
  }
  return lists;
}

// A reader without new events has one row without an event.
const isEvent = (row: { number: bigint | null }): row is UserLogRow => row.number !== null;
