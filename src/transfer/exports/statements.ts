import { boardFields } from "../../contract/fields/board.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { listFields } from "../../contract/fields/list.ts";
import { fieldsIn } from "../../contract/fields/field.ts";
import { columnsOf } from "../../domain/declared-fields.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { seesSides, seesEvent, type HistoryReader } from "../../kernel/events/activity.ts";
import { fileName } from "../../domain/parts/attachments.ts";
import type { CardRows } from "../../domain/parts/rows-sql.ts";
import { partsOfCards } from "../../domain/parts/things.ts";
import { sql } from "../../platform/db/sql.ts";

/** A page of the rows of a workspace: those behind the id `after`. */
export type RowPage = { workspaceId: bigint; after: bigint; limit: number };

const live = (alias: string) => sql`${sql.identifier(alias)}."deletedAt" IS NULL`;
const dated = (alias: string) =>
  sql`${sql.identifier(alias)}."createdAt", ${sql.identifier(alias)}."updatedAt"`;

/** Roles, by id. */
export const roles = ({ workspaceId, after, limit }: RowPage) => sql`
  SELECT r.id, r."publicId", r.name, r.description, r."hierarchyLevel", r."isSystem", r.permissions
  FROM roles r WHERE r."workspaceId" = ${workspaceId} AND r.id > ${after}
  ORDER BY r.id LIMIT ${limit}`;

/** Members who have not been removed, by id, with or without their email addresses. */
export const members =
  (showEmails: boolean) =>
  ({ workspaceId, after, limit }: RowPage) =>
    sql`
    SELECT m.id, m."publicId", ${memberName} AS name,
      CASE WHEN ${showEmails}::boolean THEN m.email END AS email,
      r."publicId" AS "rolePublicId", m.status::text AS status, m."createdAt", m."joinedAt",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('permission', o.permission, 'granted', o.granted)
          ORDER BY o.permission)
        FROM member_overrides o WHERE o."memberId" = m.id), '[]') AS overrides
    FROM members m JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
    WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed' AND m.id > ${after}
    ORDER BY m.id LIMIT ${limit}`;

/** Boards, by id. */
export const boards = ({ workspaceId, after, limit }: RowPage) => sql`
  SELECT b.id, b."publicId", ${columnsOf(fieldsIn(boardFields, "export"), "b")},
    ${dated("b")},
    ARRAY(SELECT m."publicId" FROM board_members bm
      JOIN members m ON m.id = bm."memberId" AND m.status <> 'removed'
      WHERE bm."boardId" = b.id ORDER BY m.id) AS "memberPublicIds"
  FROM boards b WHERE b."workspaceId" = ${workspaceId} AND ${live("b")} AND b.id > ${after}
  ORDER BY b.id LIMIT ${limit}`;

/** The lists of boards, by board and in order. */
export const lists = (boardIds: bigint[]) => sql`
  SELECT l."boardId" AS parent, l.id, l."publicId",
    ${columnsOf(fieldsIn(listFields, "export"), "l")}, ${dated("l")}
  FROM lists l WHERE l."boardId" = ANY(${boardIds}::bigint[]) AND ${live("l")}
  ORDER BY l."boardId", l.position`;

/** The views of boards and of the workspace, and the private ones of a member, by id. */
export const views =
  (memberId: bigint) =>
  ({ workspaceId, after, limit }: RowPage) =>
    sql`
    SELECT v.id, v."publicId", v.name, b."publicId" AS "boardPublicId",
      m."publicId" AS "ownerPublicId", v.boards, v.filter, v."sortBy", v."groupBy",
      v.layout::text AS layout, ${dated("v")}
    FROM views v LEFT JOIN boards b ON b.id = v."boardId" LEFT JOIN members m ON m.id = v."ownerId"
    WHERE v."workspaceId" = ${workspaceId} AND ${live("v")} AND b."deletedAt" IS NULL
      AND (v."ownerId" IS NULL OR v."ownerId" = ${memberId}) AND v.id > ${after}
    ORDER BY v.id LIMIT ${limit}`;

/** The parts that exports have as ids. */
export const partsAsIds = partsOfCards.flatMap(({ part, places: { stored = {} } }) => {
  const { summary, rows } = part;
  const [name] = Object.keys(stored);
  return name === undefined || rows !== undefined || "count" in summary || "empty" in summary
    ? []
    : [{ name, from: part.from, isOn: part.isOn, columns: summary.columns }];
});

const partColumns = sql.join(
  partsAsIds.map(
    ({ name, from, isOn, columns }) => sql`ARRAY(SELECT ${columns.publicId} FROM ${from}
      WHERE ${isOn(sql`c.id`)} ORDER BY ${columns.id}) AS ${sql.identifier(name)}`,
  ),
  sql`, `,
);

/** The cards of a list behind a position, in order. */
export const cards = (listId: bigint, after: string, limit: number) => sql`
  SELECT c.id, c.position, c."publicId", c.number,
    ${columnsOf(fieldsIn(cardFields, "export"), "c")}, ${dated("c")},
    ARRAY(SELECT a.number FROM card_aliases a
      WHERE a."cardId" = c.id AND a."workspaceId" = c."workspaceId" ORDER BY a.number) AS aliases,
    ${partColumns}
  FROM cards c WHERE c."listId" = ${listId} AND ${live("c")} AND c.position > ${after}
  ORDER BY c.position LIMIT ${limit}`;

/** The histories of cards as their reader sees them, oldest first. */
export const activity = (reader: HistoryReader): CardRows => ({
  columns: sql`e.type, e."actorType"::text AS "actorType", e."actorPublicId", e."actorName",
    e.data, e.changes, e."createdAt", ${seesSides(reader)}`,
  from: sql`cards c JOIN events e ON e."cardPublicId" = c."publicId" AND e."isActivity"`,
  isOn: (cardId) => sql`c.id = ${cardId} AND ${seesEvent(reader)}`,
  first: sql`0::bigint`,
  second: sql`e.id`,
  start: [0n, 0n],
});

/** The files of an archive behind a name, one row per name. */
export const files = (workspaceId: bigint, after: string, limit: number) => sql`
  SELECT DISTINCT ON (name) * FROM (
    SELECT ${fileName} AS name, a."storageKey" AS key, a.size
    FROM attachments a JOIN cards c ON c.id = a."cardId" AND ${live("c")}
      JOIN lists l ON l.id = c."listId" AND ${live("l")}
      JOIN boards b ON b.id = l."boardId" AND ${live("b")}
    WHERE a."workspaceId" = ${workspaceId} AND ${live("a")} AND a.status = 'stored'
      AND a."storageKey" IS NOT NULL) AS found
  WHERE name > ${after} ORDER BY name LIMIT ${limit}`;
