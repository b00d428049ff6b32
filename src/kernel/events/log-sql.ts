import { sql, type Sql } from "../../platform/db/sql.ts";
import type { LogPosition } from "./cursor.ts";
import type { EventType } from "../../contract/events.ts";
import type { Operation } from "../../contract/policy.ts";
import type { Credential } from "../access/credential.ts";

/** A filter of a log; without `types` it matches all. */
export type LogFilter = { types?: readonly EventType[] | undefined; board?: string | undefined };

/** A log in SQL: the tables of its events and counters, and its owner. */
export type Log = { events: Sql; counters: Sql; owner: Sql; id: bigint | Sql };

/** The log of a workspace. */
export const workspaceLog = (id: bigint | Sql): Log => ({
  events: sql`events`,
  counters: sql`workspace_logs`,
  owner: sql`"workspaceId"`,
  id,
});

/** The log of a user. */
export const userLog = (id: bigint | Sql): Log => ({
  events: sql`user_events`,
  counters: sql`user_logs`,
  owner: sql`"userId"`,
  id,
});

/** A read of the log of a workspace after a position: until another one, or to its end. */
export type LogRead = {
  workspaceId: bigint;
  after: LogPosition;
  until?: LogPosition;
  limit: number;
  filter?: LogFilter;
};

/**
 * SQL: takes the next numbers of logs, and returns the last one of each.
 *
 * `counts` selects owners and how many numbers each takes. The rows of the counters are locked
 * until the transaction ends, so that numbers are in the order of commits and without gaps.
 */
export const nextNumbers = ({ counters, owner }: Omit<Log, "id">, counts: Sql): Sql => sql`
  INSERT INTO ${counters} AS log (${owner}, last) ${counts}
  ON CONFLICT (${owner}) DO UPDATE SET last = log.last + EXCLUDED.last
  RETURNING log.${owner}, log.last`;

/** SQL: the number of the last event of a log. */
const lastNumber = ({ counters, owner, id }: Log): Sql =>
  sql`coalesce((SELECT log.last FROM ${counters} log WHERE log.${owner} = ${id}), 0)`;

/** SQL: whether a log contains a position: by its event, or by its number if it names none. */
export const hasEvent = (log: Log, { number, publicId }: LogPosition): Sql =>
  publicId === null
    ? sql`${number}::bigint <= ${lastNumber(log)}`
    : sql`EXISTS (SELECT 1 FROM ${log.events} e WHERE e.${log.owner} = ${log.id}
        AND e.number = ${number}::bigint AND e."publicId" = ${publicId})`;

/** SQL: the last position of a log; it has no event when that was purged. */
export const lastPosition = (log: Log): Sql => sql`
  SELECT newest.number, e."publicId", e."createdAt"
  FROM (SELECT ${lastNumber(log)} AS number) newest
  LEFT JOIN ${log.events} e ON e.${log.owner} = ${log.id} AND e.number = newest.number`;

/** SQL: the position after the event of a log with a public id. */
export const positionOfId = (log: Log, publicId: string): Sql => sql`
  SELECT e.number, e."publicId", e."createdAt" FROM ${log.events} e
  WHERE e."publicId" = ${publicId} AND e.${log.owner} = ${log.id} AND e.number IS NOT NULL`;

/** SQL: selects the logs that have changed since they were read. */
export const changedLogs = (
  { counters, owner }: Omit<Log, "id">,
  read: { id: bigint; position: LogPosition }[],
): Sql => sql`SELECT DISTINCT t.id
  FROM unnest(${read.map(({ id }) => id)}::bigint[],
    ${read.map(({ position }) => position.number)}::bigint[]) AS t(id, number)
  JOIN ${counters} log ON log.${owner} = t.id WHERE log.last <> t.number`;

/** SQL: whether an event `e` matches a filter. */
const matches = ({ types, board }: LogFilter): Sql => sql`
  ${types === undefined ? sql`true` : sql`e.type = ANY (${types}::text[])`}
  AND ${
    board === undefined
      ? sql`true`
      : sql`(e."boardPublicId" = ${board}
        OR e.type = 'card.moved' AND e.data #>> '{from,boardPublicId}' = ${board}
        OR e.type LIKE 'access.%' AND e.data ->> 'boardPublicId' = ${board})`
  }`;

/** How many later events are examined; after more of them the board is read again. */
const maxNews = 500;

/**
 * SQL: whether a board is unchanged since a position of a log: all later events are about others.
 *
 * Each change of a board has an event in its transaction. If the database was restored meanwhile,
 * the event of the position is missing.
 */
export function isUnchanged(
  { workspaceId: seenId, position }: { workspaceId: bigint; position: LogPosition },
  workspaceId: Sql,
  board: Sql,
): Sql {
  const shows = sql`(news."boardPublicId" IS NULL OR news."boardPublicId" = ${board}
    OR news.data #>> '{from,boardPublicId}' = ${board})`;
  const isSame = hasEvent(workspaceLog(workspaceId), position);
  return sql`(${workspaceId} = ${seenId}::bigint AND ${isSame}
    AND (SELECT count(*) <= ${sql.number(maxNews)} AND NOT coalesce(bool_or(${shows}), false)
      FROM (SELECT e."boardPublicId", e.data FROM events e
        WHERE e."workspaceId" = ${workspaceId} AND e.number > ${position.number}::bigint
        ORDER BY e.number LIMIT ${sql.number(maxNews + 1)}) news))`;
}

/** SQL: the position after an event, with its workspace. */
export const eventWithId = (publicId: string): Sql => sql`
  SELECT e.number, e."publicId", e."createdAt", e."workspaceId"
  FROM events e WHERE e."publicId" = ${publicId} AND e.number IS NOT NULL`;

/**
 * SQL: the last event before those since a time.
 *
 * Numbers and times increase together: a binary search finds the first event since the time.
 */
export const lastBeforeTime = (workspaceId: bigint, since: Date): Sql => sql`
  WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, ${lastNumber(workspaceLog(workspaceId))} + 1
    UNION ALL
    SELECT CASE WHEN "isBefore" THEN middle + 1 ELSE low END,
      CASE WHEN "isBefore" THEN high ELSE middle END
    FROM (SELECT low, high, (low + high) / 2 AS middle,
        coalesce((SELECT e."createdAt" < ${since}::timestamptz FROM events e
          WHERE e."workspaceId" = ${workspaceId} AND e.number >= (low + high) / 2
          ORDER BY e.number LIMIT 1), false) AS "isBefore"
      FROM search WHERE low < high) AS halved)
  SELECT e.number, e."publicId", e."createdAt" FROM events e
  WHERE e."workspaceId" = ${workspaceId}
    AND e.number < (SELECT low FROM search WHERE low >= high LIMIT 1)
  ORDER BY e.number DESC LIMIT 1`;

/** SQL: a batch of a log; every row says whether the log contains its start (`isKnown`). */
export const batchOf = (
  { workspaceId, after, until, limit, filter = {} }: LogRead,
  scans: number,
): Sql => sql`
  WITH scan AS MATERIALIZED (
    SELECT e.id, e.number, e."createdAt", e."publicId", ${matches(filter)} AS matches
    FROM events e WHERE e."workspaceId" = ${workspaceId} AND e.number > ${after.number}::bigint
      ${until === undefined ? sql.empty : sql`AND e.number <= ${until.number}::bigint`}
    ORDER BY e.number LIMIT ${scans}),
  chosen AS (
    SELECT *, matches AND count(*) FILTER (WHERE matches) OVER in_order <= ${limit} AS given
    FROM scan WINDOW in_order AS (ORDER BY number))
  SELECT ${hasEvent(workspaceLog(workspaceId), after)} AS "isKnown", chosen.number,
    chosen."createdAt", chosen."publicId", chosen.matches, chosen.given, e.type,
    e."boardPublicId", e."cardPublicId", e."actorType"::text AS "actorType", e."actorPublicId",
    e."actorName", e."mutationId", e.data, e.changes
  FROM (VALUES (1)) one LEFT JOIN chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM events e WHERE chosen.given AND e.id = chosen.id LIMIT 1) e ON true
  ORDER BY chosen.number`;

/** A reader of a workspace's log, with a filter. */
export type LogReader = {
  credential: Credential;
  operation: Operation;
  workspaceId: bigint;
  filter: LogFilter;
};
