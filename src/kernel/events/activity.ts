import type { z } from "zod";
import type { Activity } from "../../contract/resources/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { type Page, iso } from "../../contract/vocabulary/texts.ts";
import { betweenCards } from "../../contract/vocabulary/between-cards.ts";
import { pagesById } from "../pages/by-id.ts";
import type { EventType } from "../../contract/events.ts";
import { isVisible, type Viewer } from "../access/visibility.ts";
import { boardAt } from "./log.ts";
import { hiddenFields, historyTypes, withoutFields } from "./redact.ts";
import { whole } from "./stored-data.ts";

/** The board or the card of a history. */
export type HistoryOf = { board: string } | { card: string };

type View = z.infer<typeof Activity>;
/** An event as a history reads it. */
export type ActivityRow = Pick<View, "publicId" | "data" | "changes"> & {
  id: bigint;
  type: EventType;
  actorType: View["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  createdAt: Date;
};
/** Whether the reader may see the boards between which something has moved. */
type Row = ActivityRow & { seesBefore: boolean; seesAfter: boolean };

/** The reader of a history, in the workspace of the board or card. */
export type HistoryReader = Viewer & { workspaceId: bigint; may: ReadonlySet<Permission> };

// `board.moved` is in the logs of both workspaces: the history shows it once.
const once = sql`(e.type <> 'board.moved' OR EXISTS (SELECT 1 FROM workspaces w
  WHERE w.id = e."workspaceId" AND w."publicId" = e.data #>> '{to,workspacePublicId}'))`;
const isOf = (of: HistoryOf) =>
  "board" in of
    ? sql`e."boardPublicId" = ${of.board} AND ${once}`
    : sql`e."cardPublicId" = ${of.card} AND e."isActivity"`;

/** SQL: whether the reader sees a board by its public id. Of a purged one, only managers do. */
const seesBoard = (reader: HistoryReader, publicId: Sql) =>
  sql`coalesce((SELECT b."workspaceId" = ${reader.workspaceId} AND ${isVisible(reader)}
      FROM boards b WHERE b."publicId" = ${publicId}),
    ${reader.managesWorkspace && reader.boardId === null})`;

/** SQL: whether the reader sees an event `e` of a history. */
export const seesEvent = (reader: HistoryReader) =>
  sql`e.type = ANY (${historyTypes(reader.may)}::text[])
    AND ${seesBoard(reader, sql`e."boardPublicId"`)}
    AND (e.type <> ALL (${betweenCards}::text[]) OR ${seesBoard(reader, sql`e.data #>> '{to,boardPublicId}'`)})`;

/** SQL: columns that say whether the reader sees the boards that an event `e` is from and to. */
export const seesSides = (reader: HistoryReader) =>
  sql`${seesBoard(reader, sql`e.data #>> '{from,boardPublicId}'`)} AS "seesBefore",
    ${seesBoard(reader, sql`e.data #>> '{to,boardPublicId}'`)} AS "seesAfter"`;

type PageOf = { before: bigint | null; limit: number };

const statement = (of: HistoryOf, reader: HistoryReader, { before, limit }: PageOf) =>
  sql`SELECT e.id, e."publicId", e.type, e."actorType"::text AS "actorType",
    e."actorPublicId", e."actorName", e.data, e.changes, e."createdAt",
    ${seesSides(reader)}
  FROM events e WHERE ${isOf(of)} AND (${before}::bigint IS NULL OR e.id < ${before})
    AND ${seesEvent(reader)}
  ORDER BY e.id DESC LIMIT ${limit}`;

/** One page of a history, newest first, with what the reader may see of each event. */
export async function activityPage(
  query: Query,
  seal: Seal,
  of: HistoryOf,
  reader: HistoryReader,
  { limit, cursor }: z.infer<typeof Page>,
): Promise<{ items: View[]; nextCursor: string | null }> {
  const pages = pagesById(seal, `activity of ${JSON.stringify(of)}`);
  const before = pages.after(cursor) ?? null;
  const rows = await query<Row>(statement(of, reader, { before, limit: limit + 1 }));
  return pages.page(rows, limit, (row) => viewActivity(visiblePart(row, reader)));
}

type Redacted = Pick<Row, "type" | "data" | "seesBefore" | "seesAfter">;

/** What the reader may see of an event of a history. */
export function visiblePart<Event extends Redacted>(stored: Event, { may }: HistoryReader): Event {
  const row = whole(stored);
  const hidden = hiddenFields(row.type, may);
  if (boardAt(row, "from") !== null && !row.seesBefore) hidden.push("from");
  if (boardAt(row, "to") !== null && !row.seesAfter) hidden.push("to");
  return withoutFields(row, hidden);
}

/** The view of an event in a history. */
export const viewActivity = (row: ActivityRow): View => ({
  publicId: row.publicId,
  type: row.type,
  actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
  data: row.data,
  changes: row.changes,
  createdAt: iso(row.createdAt),
});
