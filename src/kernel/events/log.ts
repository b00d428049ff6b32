import type { Query } from "../../platform/db/query.ts";
import { aheadOfLog, logStart, positionAfter, type Cursors, type LogPosition } from "./cursor.ts";
import {
  batchesOf,
  eventWithId,
  knows,
  lastBeforeTime,
  lastPosition,
  positionOfId,
  type LogRead,
} from "./log-sql.ts";
import { groupBy } from "../../platform/maps.ts";
import type { Log } from "./logs.ts";
import { whole } from "./stored-data.ts";
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
  return type === "card.moved" ? boardAt({ data }, "from") : null;
}

/** The board that an event names as where something was, or is; null without one. */
export function boardAt({ data }: Pick<LogRow, "data">, side: "from" | "to"): string | null {
  const spot = data[side];
  if (typeof spot !== "object" || spot === null || !("boardPublicId" in spot)) return null;
  return typeof spot.boardPublicId === "string" ? spot.boardPublicId : null;
}

/** A batch of the log in order. `end` is the last event read; `more` means that more is ready. */
export type LogBatch = {
  rows: LogRow[];
  end: LogPosition;
  hasMore: boolean;
  /** A time before all later events; null for now. */
  at: Date | null;
  /** Whether the log does not have the event of `after`: the database was restored. */
  isAhead: boolean;
};

type Row = { [Name in keyof LogRow]: LogRow[Name] | null } & {
  nth: bigint;
  isKnown: boolean;
  matches: boolean | null;
  given: boolean | null;
};

/** How many events one statement scans for those that match. */
const scannedPerBatch = 2_000;

/** Reads a batch of each log, oldest first: every event once, in one order for all readers. */
export async function readLogs(query: Query, reading: LogRead): Promise<LogBatch[]> {
  const { logs, limit, filter = {} } = reading;
  const isFiltered = filter.types !== undefined || filter.board !== undefined;
  const scans = isFiltered ? Math.max(limit, scannedPerBatch) : limit;
  const rows = groupBy(await query<Row>(batchesOf(reading, scans)), ({ nth }) => Number(nth));
  return logs.map(({ after }, index) =>
    batchIn(rows.get(index + 1) ?? [], { after, until: reading.until, scans }),
  );
}

function batchIn(
  scannedRows: Row[],
  { after, until, scans }: { after: LogPosition; until: LogPosition | undefined; scans: number },
): LogBatch {
  const rows = scannedRows.filter(isGiven).map(whole);
  // The next batch starts after the last match that fits.
  const isFull = scannedRows.some(({ matches, given }) => matches === true && given !== true);
  const last = isFull ? rows.at(-1) : scannedRows.findLast(isEvent);
  const hasMore = isFull || (isEvent(scannedRows[0]) && scannedRows.length === scans);
  const end = positionAfter(last ?? after);
  return {
    rows,
    end: !hasMore && until !== undefined && end.number < until.number ? until : end,
    hasMore,
    at: hasMore && last !== undefined ? last.createdAt : null,
    isAhead: scannedRows[0]?.isKnown !== true,
  };
}

const isEvent = (row: Row | undefined): row is Row & LogPosition =>
  row !== undefined && row.number !== null;

const isGiven = (row: Row): row is Row & LogRow => row.given === true;

/** The last position of a log, in the snapshot of the query. */
export async function endOfLog(query: Query, log: Log): Promise<LogPosition> {
  const [last] = await query<LogPosition>(lastPosition(log));
  return last ?? logStart;
}

/** A tag of a snapshot: another event in the log makes another tag. */
export const tagOf = ({ number, publicId }: LogPosition): string =>
  [number.toString(36), publicId].join("-");

/**
 * The position of a cursor in a log.
 *
 * 400 for one that is invalid, expired, or of an event that the log does not have: the database
 * was restored, or another server took over that had not received the event.
 */
export async function readCursor(
  query: Query,
  log: Log,
  cursors: Cursors,
  { cursor, now, field }: { cursor: string; now: Date; field: string },
): Promise<LogPosition> {
  const cursorPosition = cursors.read(cursor, now, field);
  const { number, publicId } = cursorPosition;
  if (number === null) {
    const [event] = await query<LogPosition>(positionOfId(log, publicId ?? ""));
    if (event === undefined) throw aheadOfLog(field);
    return event;
  }
  const position = { ...cursorPosition, number };
  const [row] = await query<{ isKnown: boolean }>(knows(log, position));
  if (row?.isKnown !== true) throw aheadOfLog(field);
  return position;
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
  type EventPosition = LogPosition & { workspaceId: bigint; createdAt: Date };
  const [event] = await query<EventPosition>(eventWithId(publicId));
  if (event === undefined) return undefined;
  const { workspaceId, createdAt } = event;
  return { workspaceId, createdAt, position: positionAfter(event) };
}
