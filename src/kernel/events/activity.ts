import type { z } from "zod";
import type { Activity } from "../../contract/resources/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { type Page, iso } from "../../contract/vocabulary/fields.ts";
import { pagesById } from "../pages/by-id.ts";
import { visibleTypes } from "./redact.ts";

/** The board or the card of a history. */
export type HistoryOf = { board: string } | { card: string };

type View = z.infer<typeof Activity>;
type Row = Pick<View, "publicId" | "type" | "data" | "changes"> & {
  id: bigint;
  actorType: View["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  createdAt: Date;
};

// `board.moved` is in the logs of both workspaces: the history shows it once.
const once = sql`(e.type <> 'board.moved' OR EXISTS (SELECT 1 FROM workspaces w
  WHERE w.id = e."workspaceId" AND w."publicId" = e.data #>> '{to,workspacePublicId}'))`;
const eventsOf = (of: HistoryOf): Sql =>
  "board" in of
    ? sql`e."boardPublicId" = ${of.board} AND ${once}`
    : sql`e."cardPublicId" = ${of.card} AND e."isActivity"`;

/** One page of a history, newest first, with the types of events that the reader may see. */
export async function activityPage(
  query: Query,
  seal: Seal,
  of: HistoryOf,
  may: ReadonlySet<Permission>,
  { limit, cursor }: z.infer<typeof Page>,
): Promise<{ items: View[]; nextCursor: string | null }> {
  const pages = pagesById(seal, `activity of ${JSON.stringify(of)}`);
  const before = pages.after(cursor);
  const rows = await query<Row>(sql`
    SELECT e.id, e."publicId", e.type, e."actorType"::text AS "actorType",
      e."actorPublicId", e."actorName", e.data, e.changes, e."createdAt"
    FROM events e
    WHERE ${eventsOf(of)} AND e.type = ANY (${visibleTypes(may)}::text[])
      ${before === undefined ? sql.empty : sql`AND e.id < ${before}`}
    ORDER BY e.id DESC LIMIT ${limit + 1}`);
  return pages.page(rows, limit, show);
}

const show = (row: Row): View => ({
  publicId: row.publicId,
  type: row.type,
  actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
  data: row.data,
  changes: row.changes,
  createdAt: iso(row.createdAt),
});
