import type { Query } from "../../platform/db/query.ts";
import { isBefore, type Position } from "./cursor.ts";
import type { EventType } from "../../contract/events.ts";

/** An event as it is stored, as far as it may be shown. */
export type LogRow = Position & {
  publicId: string;
  type: EventType;
  boardPublicId: string | null;
  cardPublicId: string | null;
  actorType: "user" | "apiKey" | "import" | "system";
  actorPublicId: string | null;
  actorName: string;
  data: Record<string, unknown>;
  changes: Record<string, unknown> | null;
  createdAt: Date;
};

/** The board that an event tells a card was on before; null for every other event. */
export function boardBefore({ type, data }: Pick<LogRow, "type" | "data">): string | null {
  const from = type === "card.moved" ? data["from"] : null;
  if (typeof from !== "object" || from === null || !("boardPublicId" in from)) return null;
  return typeof from.boardPublicId === "string" ? from.boardPublicId : null;
}

/** What is wanted of a log; no `types` are all of them. */
export type LogFilter = { types?: readonly EventType[] | undefined; board?: string | undefined };

/** What to read: from `after` on, to `until` (a place that has been read to before) or as far as the log is whole. */
export type Reading = {
  workspaceId: bigint;
  after: Position;
  until?: Position;
  limit: number;
  wanted?: LogFilter;
  /** Looks who is at work when something is held back, since a transaction in another database cannot write here. */
  careful?: boolean;
};

/** A piece of the log in its order. `end` is the place up to which all has been read, and `more` says that it goes on at once. */
export type LogBatch = {
  rows: LogRow[];
  end: Position;
  more: boolean;
  /** When what has been committed but is not readable yet, because an older transaction still runs, was made; null when there is no such thing. */
  blockedSince: Date | null;
  /** A moment after which all that comes later was made; null for now. */
  at: Date | null;
  /** Whether `after` lies beyond anything that can have been written yet. */
  ahead: boolean;
};

const offset = `coalesce((SELECT "offset" FROM feed_clock), 0)`;
const position = (xid: string) => `(${offset} + ${xid}::text::bigint)`;
const snapshot = "pg_current_snapshot()";
const oldest = position(`pg_snapshot_xmin(${snapshot})`);
const next = position(`pg_snapshot_xmax(${snapshot})`);
// Snapshots name the transactions of the whole server. One that is not found has just ended, and is taken for ours.
const oldestOfOurs = `(SELECT coalesce(min(${position("running.xid")}), ${next}) FROM pg_snapshot_xip(${snapshot}) AS running(xid)
  WHERE NOT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock' AND l.transactionid = running.xid::xid
      AND a.datname <> current_database()))`;

// All that is read lies in one snapshot with the edge: below it every transaction has ended, so nothing is added there any more.
// Up to a place that was read to before ($8, $9) that is known already: a careful reader may have come further than the plain edge.
const statement = (
  edge: string,
) => `WITH edge AS MATERIALIZED (SELECT ${edge} AS horizon, ${next} AS next),
  scan AS MATERIALIZED (
    SELECT e.id, e."transactionId", e."createdAt", ($6::text[] IS NULL OR e.type = ANY ($6)) AND ($7::text IS NULL OR e."boardPublicId" = $7
        OR e.type = 'card.moved' AND e.data #>> '{from,boardPublicId}' = $7) AS wanted
    FROM events e WHERE e."workspaceId" = $1 AND e."transactionId" > 0 AND (e."transactionId", e.id) > ($2, $3)
      AND CASE WHEN $8::bigint IS NULL THEN e."transactionId" < (SELECT horizon FROM edge) ELSE (e."transactionId", e.id) <= ($8, $9) END
    ORDER BY e."transactionId", e.id LIMIT $4),
  chosen AS (
    SELECT *, wanted AND count(*) FILTER (WHERE wanted) OVER (ORDER BY "transactionId", id) <= $5 AS given FROM scan)
  SELECT edge.horizon, edge.next, (SELECT e."createdAt" FROM events e WHERE e."workspaceId" = $1 AND e."transactionId" >= edge.horizon
      ORDER BY e."transactionId", e.id LIMIT 1) AS "blockedSince",
    chosen.id, chosen."transactionId", chosen."createdAt", chosen.wanted, chosen.given, e."publicId", e.type, e."boardPublicId",
    e."cardPublicId", e."actorType"::text AS "actorType", e."actorPublicId", e."actorName", e.data, e.changes
  FROM edge LEFT JOIN chosen ON true
  LEFT JOIN LATERAL (SELECT * FROM events e WHERE chosen.given AND e.id = chosen.id LIMIT 1) e ON true
  ORDER BY chosen."transactionId", chosen.id`;
const plain = statement(oldest);
const withCare = statement(oldestOfOurs);

type Row = Partial<LogRow> & {
  horizon: bigint;
  next: bigint;
  blockedSince: Date | null;
  id: bigint | null;
  transactionId: bigint | null;
  wanted: boolean | null;
  given: boolean | null;
};

/** How many events one statement looks at for those that are wanted. */
const looks = 2_000;

/** Reads a piece of a workspace's log, oldest first: every event exactly once and in the same order for every reader, whatever is being written meanwhile. */
export async function readLog(query: Query, reading: Reading): Promise<LogBatch> {
  const { workspaceId, after, until, limit, wanted = {}, careful = false } = reading;
  const isFiltered = wanted.types !== undefined || wanted.board !== undefined;
  const scans = isFiltered ? Math.max(limit, looks) : limit;
  const found = await query<Row>(careful ? withCare : plain, [
    workspaceId,
    after.transactionId,
    after.id,
    scans,
    limit,
    wanted.types ?? null,
    wanted.board ?? null,
    until?.transactionId ?? null,
    until?.id ?? null,
  ]);
  const { horizon = 0n, next: upper = 0n, blockedSince = null } = found[0] ?? {};
  // Past the last one that was given, the next piece begins with the first that was left out.
  const leftOut = found.findIndex((row) => row.wanted === true && row.given !== true);
  const read = (leftOut < 0 ? found : found.slice(0, leftOut)).filter(isEvent);
  const last = read.at(-1);
  const more = leftOut >= 0 || read.length === scans;
  const whole = until ?? { transactionId: horizon, id: 0n };
  const reached = last === undefined ? after : { transactionId: last.transactionId, id: last.id };
  return {
    rows: read.filter((row) => row.given === true),
    end: more ? reached : later(whole, after),
    more,
    blockedSince,
    at: more && last !== undefined ? last.createdAt : blockedSince,
    ahead: after.transactionId > upper,
  };
}

const isEvent = (row: Row): row is Row & LogRow => row.id !== null;

// A careful reader may have been further than one who is not.
const later = (one: Position, other: Position) => (isBefore(other, one) ? one : other);

/** The place up to which every log is whole now, and the one before which everything lies that there can be. */
export async function endOfLog(query: Query): Promise<{ whole: Position; next: Position }> {
  const sql = `SELECT ${oldestOfOurs} AS horizon, ${next} AS next`;
  const [row] = await query<{ horizon: bigint; next: bigint }>(sql, []);
  return {
    whole: { transactionId: row?.horizon ?? 0n, id: 0n },
    next: { transactionId: row?.next ?? 0n, id: 0n },
  };
}

// Places and moments go up together, so the first event since a moment is found by halving.
const firstSince = `WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, ${next}
    UNION ALL
    SELECT CASE WHEN early THEN middle + 1 ELSE low END, CASE WHEN early THEN high ELSE middle END
    FROM (SELECT low, high, (low + high) / 2 AS middle, coalesce((SELECT e."createdAt" < $2::timestamptz FROM events e
        WHERE e."workspaceId" = $1 AND e."transactionId" >= (low + high) / 2 ORDER BY e."transactionId", e.id LIMIT 1), false) AS early
      FROM search WHERE low < high) AS halved)
  SELECT low FROM search WHERE low >= high LIMIT 1`;

/** The place where the events of a workspace since a moment begin. */
export async function startOfLog(
  query: Query,
  workspaceId: bigint,
  since: Date,
): Promise<Position> {
  const [row] = await query<{ low: bigint }>(firstSince, [workspaceId, since]);
  return { transactionId: row?.low ?? 0n, id: 0n };
}

/** Sets the clock on after the database was restored into a server that has counted fewer transactions than the one that it came from: what is written from now on comes after all that there is. */
export const setClock = (query: Query) =>
  query(
    `INSERT INTO feed_clock (id, "offset") SELECT 1, newest.at + $1 FROM
       (SELECT max("transactionId") AS at FROM (SELECT "transactionId" FROM events ORDER BY id DESC LIMIT 1000) AS last) AS newest
     WHERE newest.at >= ${next} ON CONFLICT (id) DO UPDATE SET "offset" = excluded."offset"`,
    [1_000_000n],
  );
