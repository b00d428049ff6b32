import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn } from "../../contract/fields/field.ts";
import { columnsOf } from "../../domain/fields.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { seesBefore, seesEvent, type HistoryReader } from "../../kernel/events/activity.ts";
import { sql, type Sql, type Value } from "../../platform/db/sql.ts";

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
  SELECT b.id, b."publicId", b.name, b.description, b.slug, b.type::text AS type,
    b.visibility::text AS visibility, b."archivedAt", ${dated("b")},
    ARRAY(SELECT m."publicId" FROM board_members bm
      JOIN members m ON m.id = bm."memberId" AND m.status <> 'removed'
      WHERE bm."boardId" = b.id ORDER BY m.id) AS "memberPublicIds"
  FROM boards b WHERE b."workspaceId" = ${workspaceId} AND ${live("b")} AND b.id > ${after}
  ORDER BY b.id LIMIT ${limit}`;

/** The labels of boards, by board and id. */
export const labels = (boardIds: bigint[]) => sql`
  SELECT la."boardId" AS parent, la."publicId", la.name, la."colourCode" FROM labels la
  WHERE la."boardId" = ANY(${boardIds}::bigint[]) AND ${live("la")} ORDER BY la."boardId", la.id`;

/** The lists of boards, by board and in order. */
export const lists = (boardIds: bigint[]) => sql`
  SELECT l."boardId" AS parent, l.id, l."publicId", l.name, l."wipLimit", l."archivedAt",
    ${dated("l")}
  FROM lists l WHERE l."boardId" = ANY(${boardIds}::bigint[]) AND ${live("l")}
  ORDER BY l."boardId", l.position`;

/** The cards of a list behind a position, in order. */
export const cards = (listId: bigint, after: string, limit: number) => sql`
  SELECT c.id, c.position, c."publicId", c.number,
    ${columnsOf(fieldsIn(cardFields, "export"), "c")}, ${dated("c")},
    ARRAY(SELECT a.number FROM card_aliases a
      WHERE a."cardId" = c.id AND a."workspaceId" = c."workspaceId" ORDER BY a.number) AS aliases,
    ARRAY(SELECT la."publicId" FROM card_labels cl
      JOIN labels la ON la.id = cl."labelId" AND ${live("la")}
      WHERE cl."cardId" = c.id ORDER BY la.id) AS "labelPublicIds",
    ARRAY(SELECT m."publicId" FROM card_members cm
      JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      WHERE cm."cardId" = c.id ORDER BY m.id) AS "memberPublicIds"
  FROM cards c WHERE c."listId" = ${listId} AND ${live("c")} AND c.position > ${after}
  ORDER BY c.position LIMIT ${limit}`;

/** The key of a row on cards: the number of its card, and the two columns that order it. */
export type RowKey = readonly [nth: bigint, first: Value, second: Value];

/** Reads a page of the rows on cards, in the order of the cards, behind a key. */
export type RowsOnCards = (cardIds: bigint[], after: RowKey, limit: number) => Sql;

/** Where the rows of a kind on the cards `card_ref` are, and which two columns order them. */
type Kind = { columns: Sql; from: Sql; where: Sql; first: Sql; second: Sql };

/** Reads the rows of one kind, card by card, so that a page costs as much as its rows. */
export const onCards =
  ({ columns, from, where, first, second }: Kind): RowsOnCards =>
  (cardIds, [nth, afterFirst, afterSecond], limit) =>
    sql`
    SELECT card_ref.nth, found.*
    FROM unnest(${cardIds}::bigint[]) WITH ORDINALITY AS card_ref(card, nth)
    CROSS JOIN LATERAL (SELECT ${first} AS first, ${second} AS second, ${columns} FROM ${from}
      WHERE ${where} AND (card_ref.nth > ${nth}
        OR (${first}, ${second}) > (${afterFirst}, ${afterSecond}))
      ORDER BY 1, 2 LIMIT ${limit}) AS found
    WHERE card_ref.nth >= ${nth}
    ORDER BY card_ref.nth, found.first, found.second LIMIT ${limit}`;

/** Checklists with their items, one row an item. An empty checklist has a row without `item`. */
export const checklists = onCards({
  columns: sql`ch."publicId" AS list, ch.name, ch."createdAt" AS "listCreatedAt",
    ch."updatedAt" AS "listUpdatedAt", i."publicId" AS item, i.title, i."completedAt", i."dueDate",
    m."publicId" AS "memberPublicId", ${dated("i")}`,
  from: sql`checklists ch
    LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND ${live("i")}
    LEFT JOIN members m ON m.id = i."memberId" AND m.status <> 'removed'`,
  where: sql`ch."cardId" = card_ref.card AND ${live("ch")}`,
  first: sql`ch.position`,
  second: sql`coalesce(i.position, '-infinity')`,
});

/** The name of an attachment's file in an archive. */
const fileName = sql`'files/' || coalesce(a.sha256, a."publicId")`;

/** Stored attachments, oldest first. */
export const attachments = onCards({
  columns: sql`a."publicId", a.kind::text AS kind, a.filename, a."contentType", a.size, a.sha256,
    CASE WHEN a."storageKey" IS NOT NULL THEN ${fileName} END AS file, a.url, ${dated("a")}`,
  from: sql`attachments a`,
  where: sql`a."cardId" = card_ref.card AND ${live("a")} AND a.status = 'stored'`,
  first: sql`a."createdAt"`,
  second: sql`a.id`,
});

/** Comments, oldest first. Removed members are named; deleted accounts are not. */
export const comments = onCards({
  columns: sql`co."publicId", co.comment, co.version > 1 AS "isEdited", ${dated("co")},
    m."publicId" AS "memberPublicId",
    coalesce(CASE WHEN m.id IS NOT NULL THEN u.name END, co."authorName",
      CASE WHEN u."deletedAt" IS NULL THEN u.name END) AS "authorName"`,
  from: sql`comments co LEFT JOIN users u ON u.id = co."createdById"
    LEFT JOIN members m ON m."userId" = u.id AND m."workspaceId" = co."workspaceId"
      AND m.status <> 'removed'`,
  where: sql`co."cardId" = card_ref.card AND ${live("co")}`,
  first: sql`co."createdAt"`,
  second: sql`co.id`,
});

/** The histories of cards as their reader sees them, oldest first. */
export const activity = (reader: HistoryReader) =>
  onCards({
    columns: sql`e.type, e."actorType"::text AS "actorType", e."actorPublicId", e."actorName",
      e.data, e.changes, e."createdAt", ${seesBefore(reader)} AS "seesBefore"`,
    from: sql`cards c JOIN events e ON e."cardPublicId" = c."publicId" AND e."isActivity"`,
    where: sql`c.id = card_ref.card AND ${seesEvent(reader)}`,
    first: sql`0::bigint`,
    second: sql`e.id`,
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
