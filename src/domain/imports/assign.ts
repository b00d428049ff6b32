import { seesBoard } from "../../kernel/access/assignees.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import type { Import } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: the pairs of `cardId` and `memberId` whose member sees the board of the card. */
export const visiblePairs = (pairs: Sql) => sql`
  SELECT c.id AS "cardId", m.id AS "memberId", c."workspaceId"
  FROM (${pairs}) pair JOIN cards c ON c.id = pair."cardId"
  JOIN boards b ON b.id = c."boardId"
  JOIN members m ON m.id = pair."memberId" AND m."workspaceId" = c."workspaceId"
  JOIN roles r ON r.id = m."roleId"
  WHERE m.status <> 'removed' AND ${seesBoard}`;

/** SQL: pairs of ids as `cardId` and `memberId`. */
export const pairsOf = (pairs: { cardId: bigint; memberId: bigint }[]) => sql`
  SELECT * FROM unnest(${pairs.map(({ cardId }) => cardId)}::bigint[],
    ${pairs.map(({ memberId }) => memberId)}::bigint[]) AS given("cardId", "memberId")`;

/** Assigns members to cards of boards that they see: `pairs` has `cardId` and `memberId`. */
export const assignMembers = (pairs: Sql, now: Date) => sql`
  INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
  SELECT pair.*, ${now}::timestamptz FROM (${visiblePairs(pairs)}) pair
  ON CONFLICT DO NOTHING RETURNING "cardId", "memberId"`;

/** The source of an import, and its mappings of people before and after a change. */
type MappingChange = { source: Pick<Import, "workspaceId" | "family">; viewer: Viewer; now: Date };

const maxTitle = 500;

/** SQL: the title of the item `i`, with its assignee at the source unless it has one here. */
const titleOf = (isAssigned: Sql) => sql`CASE
  WHEN ${isAssigned} AND length(i.title) > length(found.suffix)
    AND right(i.title, length(found.suffix)) = found.suffix
  THEN left(i.title, -length(found.suffix))
  WHEN NOT ${isAssigned} AND right(i.title, length(found.suffix)) <> found.suffix
    AND length(i.title || found.suffix) <= ${maxTitle}
  THEN i.title || found.suffix
  ELSE i.title END`;

/**
 * Assigns locked checklist items to members by the ids of their assignees at the source.
 *
 * `changes` has `sourceId`, `from` and `to`. An item that another member was assigned to stays.
 */
export const assignItems = (changes: Sql, { source, viewer, now }: MappingChange) => sql`
  WITH found AS (
    SELECT i.id, checklist."cardId", change."to", format(' (%s)', p.name) AS suffix
    FROM (${changes}) change
    JOIN imported_people p ON p."workspaceId" = ${source.workspaceId}
      AND p.source = ${source.family} AND p."sourceId" = change."sourceId"
    JOIN checklist_items i ON i."workspaceId" = ${source.workspaceId}
      AND i."importSource" = ${source.family} AND i."importAssigneeId" = change."sourceId"
    JOIN checklists checklist ON checklist.id = i."checklistId"
    JOIN cards c ON c.id = checklist."cardId" JOIN boards b ON b.id = c."boardId"
    WHERE (i."memberId" IS NULL OR i."memberId" = change."from") AND ${isVisible(viewer)}
  ), visible AS (${visiblePairs(sql`
    SELECT DISTINCT "cardId", "to" AS "memberId" FROM found WHERE "to" IS NOT NULL`)}
  )
  UPDATE checklist_items i
  SET "memberId" = visible."memberId",
    title = ${titleOf(sql`visible."memberId" IS NOT NULL`)},
    version = i.version + 1, "updatedAt" = ${now}::timestamptz
  FROM found LEFT JOIN visible ON visible."cardId" = found."cardId"
    AND visible."memberId" = found."to"
  WHERE i.id = found.id AND i."memberId" IS DISTINCT FROM visible."memberId"`;
