import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isBefore, type Position } from "./cursor.ts";
import type { EventType } from "../../contract/events.ts";

/** An event as it is stored, without internal columns. */
export type LogRow = Position & {
  publicId: string;
  type: EventType;
  boardPublicId: string | null;
  cardPublicId: string | null;
  actorType: "user" | "apiKey" | "import" | "system";
  actorPublicId: string | null;
  actorName: string;
  /** The key of the call that caused it; null for readers who did not make the call. */
  mutationId: string | null;
  data: Record<string, unknown>;
  changes: Record<string, unknown> | null;
  createdAt: Date;
};

/** The board that a moved card left; null for every other event. */
export function boardBefore({ type, data }: Pick<LogRow, "type" | "data">): string | null {
  const from = type === "card.moved" ? data["from"] : null;
  if (typeof from !== "object" || from === null || !("boardPublicId" in from)) return null;
  return typeof from.boardPublicId === "string" ? from.boardPublicId : null;
}

/** A filter of a log; without `types` it matches all. */
export type LogFilter = { types?: readonly EventType[] | undefined; board?: string | undefined };

/** A read of the log after a position: until a position already read to, or to the complete end. */
export type Reading = {
  workspaceId: bigint;
  after: Position;
  until?: Position;
  limit: number;
  filter?: LogFilter;
  /** Whether to ignore transactions in other databases of the server, which cannot write here. */
  careful?: boolean;
};

/** A batch of the log in order. `end` is the position read to; `more` means that more is ready. */
export type LogBatch = {
  rows: LogRow[];
  end: Position;
  more: boolean;
  /** The time of the first committed event that an older running transaction blocks; else null. */
  blockedSince: Date | null;
  /** A moment after which all that comes later was made; null for now. */
  at: Date | null;
  /** Whether `after` lies beyond anything that can have been written yet. */
  ahead: boolean;
};

const offset = sql`coalesce((SELECT "offset" FROM feed_clock), 0)`;
const position = (xid: Sql) => sql`(${offset} + ${xid}::text::bigint)`;
const snapshot = sql`pg_current_snapshot()`;
const oldest = position(sql`pg_snapshot_xmin(${snapshot})`);
const next = position(sql`pg_snapshot_xmax(${snapshot})`);
// A snapshot has the transactions of the whole server. One that is not found has just ended.
const oldestOfOurs = sql`(SELECT coalesce(min(${position(sql`running.xid`)}), ${next})
  FROM pg_snapshot_xip(${snapshot}) AS running(xid)
  WHERE NOT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
      AND l.transactionid = running.xid::xid
      AND a.datname <> current_database()))`;

/** SQL: whether an event `e` matches a filter. */
const matches = ({ types, board }: LogFilter): Sql => sql`
  ${types === undefined ? sql`true` : sql`e.type = ANY (${types}::text[])`}
  AND ${
    board === undefined
      ? sql`true`
      : sql`(e."boardPublicId" = ${board}
        OR e.type = 'card.moved' AND e.data #>> '{from,boardPublicId}' = ${board})`
  }`;

// The horizon and the rows are of one snapshot. Below the horizon every transaction has ended, so
// that no event can be added there. With `until` the reader was already past it.
const statement = (
  { workspaceId, after, until, limit, filter = {}, careful = false }: Reading,
  scans: number,
): Sql => sql`
  WITH edge AS MATERIALIZED (
    SELECT ${careful ? oldestOfOurs : oldest} AS horizon, ${next} AS next),
  scan AS MATERIALIZED (
    SELECT e.id, e."transactionId", e."createdAt", ${matches(filter)} AS matches
    FROM events e WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" > 0
      AND (e."transactionId", e.id) > (${after.transactionId}, ${after.id})
      AND ${
        until === undefined
          ? sql`e."transactionId" < (SELECT horizon FROM edge)`
          : sql`(e."transactionId", e.id) <= (${until.transactionId}, ${until.id})`
      }
    ORDER BY e."transactionId", e.id LIMIT ${scans}),
  chosen AS (
    SELECT *, matches AND count(*) FILTER (WHERE matches)
      OVER (ORDER BY "transactionId", id) <= ${limit} AS given
    FROM scan)
  SELECT edge.horizon, edge.next,
    (SELECT e."createdAt" FROM events e
      WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" >= edge.horizon
      ORDER BY e."transactionId", e.id LIMIT 1) AS "blockedSince",
    chosen.id, chosen."transactionId", chosen."createdAt", chosen.matches, chosen.given,
    e."publicId", e.type, e."boardPublicId", e."cardPublicId", e."actorType"::text AS "actorType",
    e."actorPublicId", e."actorName", e."mutationId", e.data, e.changes
  FROM edge LEFT JOIN chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM events e WHERE chosen.given AND e.id = chosen.id LIMIT 1) e ON true
  ORDER BY chosen."transactionId", chosen.id`;

type Row = Partial<LogRow> & {
  horizon: bigint;
  next: bigint;
  blockedSince: Date | null;
  id: bigint | null;
  transactionId: bigint | null;
  matches: boolean | null;
  given: boolean | null;
};

/** How many events one statement scans for those that match. */
const scanned = 2_000;

/** Reads a batch of a log, oldest first: every event once, in one order for all readers. */
export async function readLog(query: Query, reading: Reading): Promise<LogBatch> {
  const { after, until, limit, filter = {} } = reading;
  const isFiltered = filter.types !== undefined || filter.board !== undefined;
  const scans = isFiltered ? Math.max(limit, scanned) : limit;
  const found = await query<Row>(statement(reading, scans));
  const { horizon = 0n, next: upper = 0n, blockedSince = null } = found[0] ?? {};
  // The next batch starts with the first match that did not fit.
  const leftOut = found.findIndex((row) => row.matches === true && row.given !== true);
  const read = (leftOut < 0 ? found : found.slice(0, leftOut)).filter(isEvent);
  const last = read.at(-1);
  const more = leftOut >= 0 || read.length === scans;
  const complete = until ?? { transactionId: horizon, id: 0n };
  const lastRead = last === undefined ? after : { transactionId: last.transactionId, id: last.id };
  return {
    rows: read.filter((row) => row.given === true),
    end: more ? lastRead : later(complete, after),
    more,
    blockedSince,
    at: more && last !== undefined ? last.createdAt : blockedSince,
    ahead: after.transactionId > upper,
  };
}

const isEvent = (row: Row): row is Row & LogRow => row.id !== null;

// A careful read may have been further than one that is not.
const later = (one: Position, other: Position) => (isBefore(other, one) ? one : other);

/** The position up to which every log is complete, and one that is after every event. */
export async function endOfLog(query: Query): Promise<{ complete: Position; next: Position }> {
  const [row] = await query<{ horizon: bigint; next: bigint }>(
    sql`SELECT ${oldestOfOurs} AS horizon, ${next} AS next`,
  );
  return {
    complete: { transactionId: row?.horizon ?? 0n, id: 0n },
    next: { transactionId: row?.next ?? 0n, id: 0n },
  };
}

// Positions and times increase together: a binary search finds the first event since a time.
const firstSince = (workspaceId: bigint, since: Date) => sql`WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, ${next}
    UNION ALL
    SELECT CASE WHEN early THEN middle + 1 ELSE low END, CASE WHEN early THEN high ELSE middle END
    FROM (SELECT low, high, (low + high) / 2 AS middle,
        coalesce((SELECT e."createdAt" < ${since}::timestamptz FROM events e
          WHERE e."workspaceId" = ${workspaceId} AND e."transactionId" >= (low + high) / 2
          ORDER BY e."transactionId", e.id LIMIT 1), false) AS early
      FROM search WHERE low < high) AS halved)
  SELECT low FROM search WHERE low >= high LIMIT 1`;

/** The position before the first event of a workspace since a time. */
export async function startOfLog(
  query: Query,
  workspaceId: bigint,
  since: Date,
): Promise<Position> {
  const [row] = await query<{ low: bigint }>(firstSince(workspaceId, since));
  return { transactionId: row?.low ?? 0n, id: 0n };
}

/** Advances the clock when the database was restored into a server with a lower transaction id. */
export const setClock = (query: Query) =>
  query(
    sql`INSERT INTO feed_clock (id, "offset") SELECT 1, newest.at + 1000000 FROM
       (SELECT max("transactionId") AS at FROM
         (SELECT "transactionId" FROM events ORDER BY id DESC LIMIT 1000) AS last) AS newest
     WHERE newest.at >= ${next} ON CONFLICT (id) DO UPDATE SET "offset" = excluded."offset"`,
  );
