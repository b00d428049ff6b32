import { hasValues, isDueIn, type CardSelection } from "../cards/filters.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most cards that are sorted. Of more, a page is read in its order. */
const maxCandidates = 1_000;

type Ids = readonly string[];
const labelIds = (boardId: bigint, ids: Ids) => sql`ARRAY(SELECT la.id FROM labels la
  WHERE la."boardId" = ${boardId} AND la."deletedAt" IS NULL
    AND la."publicId" = ANY(${ids}::text[]))`;
const memberIds = (ids: Ids) => sql`ARRAY(SELECT m.id FROM members m
  WHERE m.status <> 'removed' AND m."publicId" = ANY(${ids}::text[]))`;

/** SQL: the cards that one filter finds by an index; null without a filter that the order lacks. */
function candidates(sort: string, boardId: bigint, selection: CardSelection): Sql | null {
  const { labels, members, lists, due, archived } = selection;
  if (labels !== undefined) {
    return sql`SELECT cl."cardId" AS id FROM card_labels cl
      WHERE cl."labelId" = ANY (${labelIds(boardId, labels)})`;
  }
  if (members !== undefined) {
    return sql`SELECT cm."cardId" AS id FROM card_members cm
      WHERE cm."memberId" = ANY (${memberIds(members)})
        ${archived ? sql.empty : sql`AND cm."openDueDate" IS NOT NULL`}`;
  }
  if (lists !== undefined && sort !== "position") {
    return sql`SELECT c.id FROM lists l JOIN cards c ON c."listId" = l.id
      AND c."deletedAt" IS NULL
      WHERE l."boardId" = ${boardId} AND l."publicId" = ANY(${lists}::text[])`;
  }
  const isInOrder = sort === "dueDate" || (sort === "position" && due === "none");
  if (due === undefined || isInOrder) return null;
  return sql`SELECT c.id FROM cards c JOIN workspaces w ON w.id = c."workspaceId"
    WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND ${isDueIn(selection)}`;
}

/** The cards that may pass the filters; null when they are too many to sort. */
export async function findCandidates(
  query: Query,
  sort: string,
  boardId: bigint,
  selection: CardSelection,
): Promise<bigint[] | null> {
  const found = candidates(sort, boardId, selection);
  if (found === null) return null;
  const most = sql.number(maxCandidates + 1);
  const rows = await query<{ id: bigint }>(sql`${found} LIMIT ${most}`);
  return rows.length > maxCandidates ? null : [...new Set(rows.map(({ id }) => id))];
}

/** SQL: whether the card `c` of the workspace `w` passes the filters, by their indexes. */
export function passes(boardId: bigint, selection: CardSelection): Sql {
  const { labels, members } = selection;
  const hasLabel = (ids: Ids) => sql`AND EXISTS (SELECT 1 FROM card_labels cl
    WHERE cl."cardId" = c.id AND cl."labelId" = ANY (${labelIds(boardId, ids)}) OFFSET 0)`;
  const hasMember = (ids: Ids) => sql`AND EXISTS (SELECT 1 FROM card_members cm
    WHERE cm."cardId" = c.id AND cm."memberId" = ANY (${memberIds(ids)}) OFFSET 0)`;
  return sql`${isDueIn(selection)} ${hasValues(selection)}
    ${labels === undefined ? sql.empty : hasLabel(labels)}
    ${members === undefined ? sql.empty : hasMember(members)}`;
}
