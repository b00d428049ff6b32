import { sql, type Sql } from "../../platform/db/sql.ts";
import type { LogPosition } from "./cursor.ts";
import type { EventType } from "../../contract/events.ts";

/** A filter of a log; without `types` it matches all. */
export type LogFilter = { types?: readonly EventType[] | undefined; board?: string | undefined };

/** A read of the log after a position: until a position already read to, or to the complete end. */
export type LogRead = {
  workspaceId: bigint;
  after: LogPosition;
  until?: LogPosition;
  limit: number;
  filter?: LogFilter;
  /** Whether to ignore transactions in other databases of the server, which cannot write here. */
  careful?: boolean;
};

const offset = sql`coalesce((SELECT "offset" FROM feed_clock), 0)`;
const positionOf = (xid: Sql) => sql`(${offset} + ${xid}::text::bigint)`;
const snapshot = sql`pg_current_snapshot()`;
/** SQL: the oldest running transaction of the server. */
export const oldest = positionOf(sql`pg_snapshot_xmin(${snapshot})`);
/** SQL: a number after every position. */
export const next = positionOf(sql`pg_snapshot_xmax(${snapshot})`);
// A snapshot has the transactions of the whole server. One that is not found has just ended. A
// prepared transaction has no process.
/** SQL: the oldest running transaction of this database. */
export const oldestOfOurs = sql`(SELECT coalesce(min(${positionOf(sql`running.xid`)}), ${next})
  FROM pg_snapshot_xip(${snapshot}) AS running(xid)
  WHERE NOT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
      AND l.transactionid = running.xid::xid
      AND a.datname <> current_database())
    AND NOT EXISTS (SELECT 1 FROM pg_prepared_xacts p
      WHERE p.transaction = running.xid::xid AND p.database <> current_database()))`;

/** SQL: whether the log has the event of a position. */
const hasEvent = ({ publicId, id }: LogPosition): Sql =>
  publicId === null
    ? sql`true`
    : sql`EXISTS (SELECT 1 FROM events e WHERE e.id = ${id} AND e."publicId" = ${publicId})`;

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

/** SQL: the last event before a number, as a position. */
const lastBefore = (workspaceId: bigint | Sql, end: Sql): Sql => sql`
  SELECT e.id, e."transactionId", e."publicId", e."createdAt"
  FROM events e WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" > 0
    AND e."transactionId" < ${end}
  ORDER BY e."transactionId" DESC, e.id DESC LIMIT 1`;

/** SQL: the time of the first event that waits at the horizon of `edge`. */
const blockedSince = (workspaceId: bigint | Sql): Sql => sql`
  (SELECT e."createdAt" FROM events e
    WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" >= edge.horizon
    ORDER BY e."transactionId", e.id LIMIT 1) AS "blockedSince"`;

/** SQL: the last event of the complete part of a log, and since when a later one waits. */
export const lastComplete = (workspaceId: bigint): Sql => sql`
  WITH edge AS MATERIALIZED (SELECT ${oldestOfOurs} AS horizon)
  SELECT last.*, ${blockedSince(workspaceId)}
  FROM edge LEFT JOIN LATERAL (${lastBefore(workspaceId, sql`edge.horizon`)}) AS last ON true`;

/**
 * SQL: the last event before all that the snapshot of the transaction does not see, and the time
 * of the next one.
 */
export const lastInSnapshot = (workspaceId: bigint | Sql): Sql => sql`
  WITH edge AS MATERIALIZED (SELECT ${oldest} AS horizon)
  SELECT last.*, ${blockedSince(workspaceId)},
    ${snapshot}::text AS snapshot, ${offset} AS "offset"
  FROM edge LEFT JOIN LATERAL (${lastBefore(workspaceId, sql`edge.horizon`)}) AS last ON true`;

/** An earlier snapshot, with the position that it showed. */
type Earlier = {
  workspaceId: bigint;
  state: { snapshot: string; offset: bigint; position: LogPosition };
};

/** How many events are looked at; a resource with more news is read again. */
const mostNews = 500;

/**
 * SQL: whether what an earlier snapshot showed of a board is what the current one shows.
 *
 * So it is while every event that only the current one sees is of another board: each change of a
 * board has an event in its transaction. In a database that was restored meanwhile the last event
 * is missing, or transaction ids begin again.
 */
export function isUnchanged(
  { workspaceId: seenId, state }: Earlier,
  workspaceId: Sql,
  board: Sql,
): Sql {
  const { snapshot: seen, offset: seenOffset, position } = state;
  const [xmin = "0"] = seen.split(":", 1);
  const shows = sql`(news."boardPublicId" IS NULL OR news."boardPublicId" = ${board}
    OR news.data #>> '{from,boardPublicId}' = ${board})`;
  const xid = sql`coalesce(news.xid, news."transactionId" - ${seenOffset}::bigint)`;
  const isNew = sql`NOT pg_visible_in_snapshot(
    ${xid}::text::xid8, ${seen}::text::pg_snapshot)`;
  return sql`(${workspaceId} = ${seenId}::bigint AND ${offset} = ${seenOffset}::bigint
    AND ${hasEvent(position)}
    AND pg_snapshot_xmax(${snapshot}) >= pg_snapshot_xmax(${seen}::text::pg_snapshot)
    AND (SELECT count(*) <= ${sql.number(mostNews)} AND NOT coalesce(bool_or(${isNew} AND ${shows}),
        false)
      FROM (SELECT e."transactionId", e.xid, e."boardPublicId", e.data FROM events e
        WHERE e."workspaceId" = ${workspaceId}
          AND e."transactionId" >= ${BigInt(xmin) + seenOffset}::bigint
        ORDER BY e."transactionId", e.id LIMIT ${sql.number(mostNews + 1)}) news))`;
}

/** SQL: the position after the event with a public id. */
export const eventWithId = (publicId: string): Sql => sql`
  SELECT e.id, e."transactionId", e."publicId", e."createdAt", e."workspaceId"
  FROM events e WHERE e."publicId" = ${publicId}`;

/** SQL: how many events after a position the snapshot of the transaction sees. */
export const eventsAfter = (workspaceId: bigint, { transactionId, id }: LogPosition): Sql => sql`
  SELECT count(*) AS count FROM events e WHERE e."workspaceId" = ${workspaceId}
    AND e."transactionId" > 0 AND (e."transactionId", e.id) > (${transactionId}, ${id})`;

/**
 * SQL: the last event before those since a time.
 *
 * Positions and times increase together: a binary search finds the first event since the time.
 */
export const lastBeforeTime = (workspaceId: bigint, since: Date): Sql => sql`
  WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, ${next}
    UNION ALL
    SELECT CASE WHEN early THEN middle + 1 ELSE low END, CASE WHEN early THEN high ELSE middle END
    FROM (SELECT low, high, (low + high) / 2 AS middle,
        coalesce((SELECT e."createdAt" < ${since}::timestamptz FROM events e
          WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" >= (low + high) / 2
          ORDER BY e."transactionId", e.id LIMIT 1), false) AS early
      FROM search WHERE low < high) AS halved)
  ${lastBefore(workspaceId, sql`(SELECT low FROM search WHERE low >= high LIMIT 1)`)}`;

/** SQL: whether the log has the event of a position. */
export const isInLog = (position: LogPosition): Sql => sql`
  SELECT ${hasEvent(position)} AND ${position.transactionId} <= ${next} AS "isKnown"`;

/**
 * SQL: a batch of a log, with the state of the log in every row.
 *
 * The horizon and the rows are of one snapshot. With `until` the reader was already past it.
 *
 * Below the horizon every transaction has ended, and the number of an event is never below the id
 * of its transaction (`feed_position`). So the snapshot shows all events with a lower number. Other
 * transactions, running or later ones, get a number at the horizon or above.
 */
export const batchOf = (
  { workspaceId, after, until, limit, filter = {}, careful = false }: LogRead,
  scans: number,
): Sql => sql`
  WITH edge AS MATERIALIZED (
    SELECT ${careful ? oldestOfOurs : oldest} AS horizon, ${next} AS next),
  scan AS MATERIALIZED (
    SELECT e.id, e."workspaceId", e."transactionId", e."createdAt", e."publicId",
      ${matches(filter)} AS matches
    FROM events e WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" > 0
      AND (e."transactionId", e.id) > (${after.transactionId}, ${after.id})
      AND ${
        until === undefined
          ? sql`e."transactionId" < (SELECT horizon FROM edge)`
          : sql`(e."transactionId", e.id) <= (${until.transactionId}, ${until.id})`
      }
    ORDER BY e."transactionId", e.id LIMIT ${scans}),
  chosen AS (
    SELECT *, matches AND count(*) FILTER (WHERE matches) OVER in_order <= ${limit} AS given
    FROM scan WINDOW in_order AS (ORDER BY "transactionId", id))
  SELECT edge.next, ${hasEvent(after)} AS "isKnown",
    ${blockedSince(workspaceId)},
    chosen.id, chosen."transactionId", chosen."createdAt", chosen."publicId", chosen.matches,
    chosen.given, e.type, e."boardPublicId", e."cardPublicId", e."actorType"::text AS "actorType",
    e."actorPublicId", e."actorName", e."mutationId", e.data, e.changes
  FROM edge LEFT JOIN chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM events e WHERE chosen.given AND e.id = chosen.id LIMIT 1) e ON true
  ORDER BY chosen."transactionId", chosen.id`;
