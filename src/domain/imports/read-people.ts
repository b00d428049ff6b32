import type { z } from "zod";
import type { ImportedPerson } from "../../contract/resources/imports.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Import } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type Person = z.infer<typeof ImportedPerson>;
type Row = Omit<Person, "member"> & {
  id: bigint;
  memberPublicId: string | null;
  memberName: string;
  image: string | null;
};

/** SQL: the comments, cards and checklist items of the person `p` that the viewer may see. */
function occurrencesOf(viewer: Viewer): Record<"comments" | "cards" | "checklistItems", Sql> {
  const onVisibleBoard = sql`
    JOIN cards c ON c.id = x."cardId" AND c."deletedAt" IS NULL
    JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL AND ${isVisible(viewer)}`;
  return {
    comments: sql`FROM comments x ${onVisibleBoard}
      WHERE x."workspaceId" = p."workspaceId" AND x."importSource" = p.source
        AND x."importAuthorId" = p."sourceId" AND x."deletedAt" IS NULL`,
    cards: sql`FROM imported_assignments x ${onVisibleBoard}
      WHERE x."workspaceId" = p."workspaceId" AND x.source = p.source
        AND x."sourceId" = p."sourceId"`,
    checklistItems: sql`FROM checklist_items item
      JOIN checklists x ON x.id = item."checklistId" AND x."deletedAt" IS NULL ${onVisibleBoard}
      WHERE item."workspaceId" = p."workspaceId" AND item."importSource" = p.source
        AND item."importAssigneeId" = p."sourceId" AND item."deletedAt" IS NULL`,
  };
}

/** SQL: whether the viewer may know the person `p`: people of hidden boards have no name. */
export function isKnownTo(viewer: Viewer): Sql {
  const { comments, cards, checklistItems } = occurrencesOf(viewer);
  return sql`(${viewer.managesWorkspace && viewer.boardId === null}::boolean
    OR EXISTS (SELECT 1 ${comments}) OR EXISTS (SELECT 1 ${cards})
    OR EXISTS (SELECT 1 ${checklistItems}))`;
}

/** Reads people of the source of an import that the viewer may know, with their counts. */
export function readPeople(
  query: Query,
  { workspaceId, family }: Pick<Import, "workspaceId" | "family">,
  viewer: Viewer,
  { where, limit }: { where: Sql; limit: number },
): Promise<Row[]> {
  const { comments, cards, checklistItems } = occurrencesOf(viewer);
  return query<Row>(sql`
    SELECT p.id, p."sourceId", p.name, (SELECT count(*)::int ${comments}) AS comments,
      (SELECT count(*)::int ${cards}) AS cards,
      (SELECT count(*)::int ${checklistItems}) AS "checklistItems",
      m."publicId" AS "memberPublicId", ${memberName} AS "memberName", u.image
    FROM imported_people p
    LEFT JOIN members m ON m.id = p."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId"
    WHERE p."workspaceId" = ${workspaceId} AND p.source = ${family} AND ${where}
      AND ${isKnownTo(viewer)}
    ORDER BY p.id LIMIT ${limit}`);
}

/** The view of a person of a source. */
export function viewPerson(row: Row): Person {
  const { id: _, memberPublicId, memberName: name, image, ...person } = row;
  const member = memberPublicId === null ? null : { publicId: memberPublicId, name, image };
  return { ...person, member };
}
