import { setTimeout } from "node:timers/promises";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { isBefore, logStart, positionAfter, type LogPosition } from "./cursor.ts";
import {
  batchOf,
  eventsAfter,
  eventWithId,
  isInLog,
  lastBeforeTime,
  lastComplete,
  lastInSnapshot,
  next,
  type LogRead,
} from "./log-sql.ts";
import type { EventType } from "../../contract/events.ts";

/** An event as it is stored, without internal columns. */
export type LogRow = LogPosition & {
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

/** A batch of the log in order. `end` is the last event read; `more` means that more is ready. */
export type LogBatch = {
  rows: LogRow[];
  end: LogPosition;
  more: boolean;
  /** The time of the first committed event that an older running transaction blocks; else null. */
  blockedSince: Date | null;
  /** A moment after which all that comes later was made; null for now. */
  at: Date | null;
  /** Whether the log does not have the event of `after`: the database was restored. */
  ahead: boolean;
};

type Row = { [Name in keyof LogRow]: LogRow[Name] | null } & {
  next: bigint;
  blockedSince: Date | null;
  isKnown: boolean;
  matches: boolean | null;
  given: boolean | null;
};

/** How many events one statement scans for those that match. */
const scanned = 2_000;

/** Reads a batch of a log, oldest first: every event once, in one order for all readers. */
export async function readLog(query: Query, reading: LogRead): Promise<LogBatch> {
  const { after, until, limit, filter = {} } = reading;
  const isFiltered = filter.types !== undefined || filter.board !== undefined;
  const scans = isFiltered ? Math.max(limit, scanned) : limit;
  const found = await query<Row>(batchOf(reading, scans));
  const [{ next: upper, blockedSince, isKnown } = noState] = found;
  const rows = found.filter(isGiven);
  // The next batch starts after the last match that fits.
  const isFull = found.some(({ matches, given }) => matches === true && given !== true);
  const last = isFull ? rows.at(-1) : found.findLast(isEvent);
  const more = isFull || (isEvent(found[0]) && found.length === scans);
  const end = positionAfter(last ?? after);
  return {
    rows,
    end: !more && until !== undefined && isBefore(end, until) ? until : end,
    more,
    blockedSince,
    at: more && last !== undefined ? last.createdAt : blockedSince,
    ahead: !isKnown || after.transactionId > upper,
  };
}

const noState = { next: 0n, blockedSince: null, isKnown: true };

const isEvent = (row: Row | undefined): row is Row & LogPosition =>
  row !== undefined && row.id !== null;

const isGiven = (row: Row): row is Row & LogRow => row.given === true;

/**
 * The pauses between reads while the newest events wait for a transaction that still runs.
 *
 * Most transactions end within milliseconds: so a caller reads the event of a write that was
 * answered just before.
 */
export const pausesMs = [0, 3, 10, 30, 100];

/** The columns of a position, null before the first event, and since when a later one waits. */
type LastRow = { [Name in keyof LogPosition]: LogPosition[Name] | null } & {
  blockedSince: Date | null;
};

/** The position up to which a log is complete, after short pauses while events wait. */
export async function endOfLog(query: Query, workspaceId: bigint): Promise<LogPosition> {
  for (let nth = 0; ; nth++) {
    const [last] = await query<LastRow>(lastComplete(workspaceId));
    if (last === undefined) return logStart;
    const pauseMs = last.blockedSince === null ? undefined : pausesMs[nth];
    if (pauseMs === undefined) return positionIn(last);
    await setTimeout(pauseMs);
  }
}

const positionIn = ({
  id,
  transactionId,
  publicId,
  createdAt,
}: Omit<LastRow, "blockedSince">): LogPosition =>
  id === null || transactionId === null ? logStart : { id, transactionId, publicId, createdAt };

/**
 * A snapshot, with the position in the log of what it shows: everything that it does not see comes
 * later. `at` is a moment after which all of that was made; null for now.
 */
export type SnapshotState = {
  snapshot: string;
  offset: bigint;
  position: LogPosition;
  at: Date | null;
};

/** The columns of `lastInSnapshot`. */
export type SnapshotRow = LastRow & {
  snapshot: string;
  offset: bigint;
};

/** The state of the snapshot of a transaction. */
export async function stateOfSnapshot(query: Query, workspaceId: bigint): Promise<SnapshotState> {
  const [row] = await query<SnapshotRow>(lastInSnapshot(workspaceId));
  if (row === undefined) throw new Error("A snapshot has one state.");
  return stateOf(row);
}

/** The state of a snapshot from its row. */
export function stateOf({ blockedSince: at, snapshot, offset, ...last }: SnapshotRow) {
  return { position: positionIn(last), at, snapshot, offset };
}

/** A text that differs when a snapshot shows an event more than another one does. */
export async function tagOfSnapshot(query: Query, workspaceId: bigint): Promise<string> {
  const { position } = await stateOfSnapshot(query, workspaceId);
  const [row] = await query<{ count: bigint }>(eventsAfter(workspaceId, position));
  return [position.transactionId, position.id, row?.count ?? 0n]
    .map((part) => part.toString(36))
    .join("-");
}

/** Whether the log of a workspace has the event of a position; false after a restore. */
export async function isPosition(query: Query, position: LogPosition): Promise<boolean> {
  const [row] = await query<{ isKnown: boolean }>(isInLog(position));
  return row?.isKnown === true;
}

/** The position before the first event of a workspace since a time. */
export async function startOfLog(
  query: Query,
  workspaceId: bigint,
  since: Date,
): Promise<LogPosition> {
  const [last] = await query<LogPosition>(lastBeforeTime(workspaceId, since));
  return last ?? logStart;
}

/** The position after an event, with its workspace. */
export async function positionOfEvent(
  query: Query,
  publicId: string,
): Promise<{ workspaceId: bigint; position: LogPosition; createdAt: Date } | undefined> {
  type Found = LogPosition & { workspaceId: bigint; createdAt: Date };
  const [found] = await query<Found>(eventWithId(publicId));
  if (found === undefined) return undefined;
  const { workspaceId, createdAt } = found;
  return { workspaceId, createdAt, position: positionAfter(found) };
}

/** Advances the clock when the database was restored into a server with a lower transaction id. */
export const setClock = (query: Query) =>
  query(
    sql`INSERT INTO feed_clock (id, "offset") SELECT 1, newest.at + 1000000 FROM
       (SELECT max("transactionId") AS at FROM
         (SELECT "transactionId" FROM events ORDER BY id DESC LIMIT 1000) AS last) AS newest
     WHERE newest.at >= ${next} ON CONFLICT (id) DO UPDATE SET "offset" = excluded."offset"`,
  );
