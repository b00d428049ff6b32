import { sql, type Sql } from "../../platform/db/sql.ts";
import type { LogPosition } from "./cursor.ts";
import { workspaceLog, type Log } from "./logs.ts";
import type { EventType } from "../../contract/events.ts";
import type { Operation } from "../../contract/policy.ts";
import type { Credential } from "../access/credential.ts";

/** A filter of a log; without `types` it matches all. */
export type LogFilter = { types?: readonly EventType[] | undefined; board?: string | undefined };

/** SQL: the column that names the owner of a log. */
const ownerOf = ({ of }: Pick<Log, "of">): Sql => sql.identifier(`${of}Id`);

/** A log whose owner may be an expression. */
type LogSql = Log<bigint | Sql>;

/** A read of logs of one kind: each after a position, until another one or to its end. */
export type LogRead = {
  of: Log["of"];
  logs: readonly { id: bigint; after: LogPosition }[];
  until?: LogPosition;
  /** The most events of each log. */
  limit: number;
  filter?: LogFilter;
};

/**
 * SQL: takes the next numbers of logs, and returns the last one of each.
 *
 * `counts` selects owners and how many numbers each takes. The rows of the counters are locked
 * until the transaction ends, so that numbers are in the order of commits and without gaps.
 */
export function nextNumbers(of: Log["of"], counts: Sql): Sql {
  const owner = ownerOf({ of });
  return sql`INSERT INTO logs AS log (${owner}, last) ${counts}
    ON CONFLICT (${owner}) DO UPDATE SET last = log.last + EXCLUDED.last
    RETURNING log.${owner}, log.last`;
}

/** SQL: the number of the last event of a log. */
const lastNumber = (log: LogSql): Sql =>
  sql`coalesce((SELECT log.last FROM logs log WHERE log.${ownerOf(log)} = ${log.id}), 0)`;

/** SQL: whether a log contains a position: by its event, or by its number if it names none. */
const hasEvent = (
  log: LogSql,
  { number, publicId }: { number: bigint | Sql; publicId: string | null | Sql },
): Sql => sql`CASE WHEN ${publicId}::text IS NULL
  THEN ${number}::bigint <= ${lastNumber(log)}
  ELSE EXISTS (SELECT 1 FROM events e WHERE e.${ownerOf(log)} = ${log.id}
    AND e.number = ${number}::bigint AND e."publicId" = ${publicId}) END`;

/** SQL: selects whether a log contains a position, as `isKnown`. */
export const knows = (log: Log, position: LogPosition): Sql =>
  sql`SELECT ${hasEvent(log, position)} AS "isKnown"`;

/** SQL: the last position of a log; it has no event when that was purged. */
export const lastPosition = (log: LogSql): Sql => sql`
  SELECT newest.number, e."publicId", e."createdAt"
  FROM (SELECT ${lastNumber(log)} AS number) newest
  LEFT JOIN events e ON e.${ownerOf(log)} = ${log.id} AND e.number = newest.number`;

/** SQL: the position after the event of a log with a public id. */
export const positionOfId = (log: Log, publicId: string): Sql => sql`
  SELECT e.number, e."publicId", e."createdAt" FROM events e
  WHERE e."publicId" = ${publicId} AND e.${ownerOf(log)} = ${log.id} AND e.number IS NOT NULL`;

/** SQL: selects the logs that have changed since they were read. */
export const changedLogs = (read: readonly { log: Log; position: LogPosition }[]): Sql =>
  sql.join(
    (["workspace", "user"] as const).map((of) => {
      const logs = read.filter(({ log }) => log.of === of);
      return sql`SELECT ${sql.word(of)} AS of, t.id
        FROM unnest(${logs.map(({ log }) => log.id)}::bigint[],
          ${logs.map(({ position }) => position.number)}::bigint[]) AS t(id, number)
        JOIN logs log ON log.${ownerOf({ of })} = t.id WHERE log.last <> t.number`;
    }),
    sql` UNION ALL `,
  );

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

/** SQL: a batch of each log; every row says whether the log contains its start (`isKnown`). */
export function batchesOf({ of, logs, until, limit, filter = {} }: LogRead, scans: number): Sql {
  const owner = ownerOf({ of });
  const reads = sql`unnest(${logs.map(({ id }) => id)}::bigint[],
      ${logs.map(({ after }) => after.number)}::bigint[],
      ${logs.map(({ after }) => after.publicId)}::text[])
    WITH ORDINALITY AS read(id, number, "publicId", nth)`;
  const isKnown = hasEvent(
    { of, id: sql`read.id` },
    { number: sql`read.number`, publicId: sql`read."publicId"` },
  );
  return sql`WITH scan AS MATERIALIZED (
      SELECT read.nth, e.* FROM ${reads} CROSS JOIN LATERAL (
        SELECT e.id, e.number, e."createdAt", e."publicId", ${matches(filter)} AS matches
        FROM events e WHERE e.${owner} = read.id AND e.number > read.number
          ${until === undefined ? sql.empty : sql`AND e.number <= ${until.number}::bigint`}
        ORDER BY e.number LIMIT ${scans}) e),
    chosen AS (
      SELECT *, matches AND count(*) FILTER (WHERE matches) OVER in_order <= ${limit} AS given
      FROM scan WINDOW in_order AS (PARTITION BY nth ORDER BY number))
    SELECT read.nth, ${isKnown} AS "isKnown", chosen.number, chosen."createdAt",
      chosen."publicId", chosen.matches, chosen.given, e.type, e."boardPublicId",
      e."cardPublicId", e."actorType"::text AS "actorType", e."actorPublicId", e."actorName",
      e."mutationId", e.data, e.changes
    FROM ${reads} LEFT JOIN chosen USING (nth)
    LEFT JOIN LATERAL (
      SELECT * FROM events e WHERE chosen.given AND e.id = chosen.id LIMIT 1) e ON true
    ORDER BY read.nth, chosen.number`;
}

/** A reader of a log, with a filter. */
export type LogReader = { credential: Credential; operation: Operation; filter: LogFilter };
