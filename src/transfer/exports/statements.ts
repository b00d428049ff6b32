import { memberName } from "../../domain/cards/summaries.ts";

const live = (alias: string) => `${alias}."deletedAt" IS NULL`;
const dated = (alias: string) => `${alias}."createdAt", ${alias}."updatedAt"`;

/** The workspace's roles after $2, by id. */
export const roles = `SELECT r.id, r."publicId", r.name, r.description, r."hierarchyLevel", r."isSystem", r.permissions
  FROM roles r WHERE r."workspaceId" = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`;

/** Its members who have not been removed, after $2, by id; $4 is whether addresses are shown. */
export const members = `SELECT m.id, m."publicId", ${memberName.text} AS name, CASE WHEN $4 THEN m.email END AS email,
    r."publicId" AS "rolePublicId", m.status::text AS status, m."createdAt", m."joinedAt",
    coalesce((SELECT jsonb_agg(jsonb_build_object('permission', o.permission, 'granted', o.granted) ORDER BY o.permission)
      FROM member_overrides o WHERE o."memberId" = m.id), '[]') AS overrides
  FROM members m JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
  WHERE m."workspaceId" = $1 AND m.status <> 'removed' AND m.id > $2 ORDER BY m.id LIMIT $3`;

/** Its boards after $2, by id. */
export const boards = `SELECT b.id, b."publicId", b.name, b.description, b.slug, b.type::text AS type,
    b.visibility::text AS visibility, b."archivedAt", ${dated("b")},
    ARRAY(SELECT m."publicId" FROM board_members bm JOIN members m ON m.id = bm."memberId" AND m.status <> 'removed'
      WHERE bm."boardId" = b.id ORDER BY m.id) AS "memberPublicIds"
  FROM boards b WHERE b."workspaceId" = $1 AND ${live("b")} AND b.id > $2 ORDER BY b.id LIMIT $3`;

/** The labels of boards, by board and id. */
export const labels = `SELECT la."boardId" AS parent, la."publicId", la.name, la."colourCode"
  FROM labels la WHERE la."boardId" = ANY($1::bigint[]) AND ${live("la")} ORDER BY la."boardId", la.id`;

/** The lists of boards, by board and in order. */
export const lists = `SELECT l."boardId" AS parent, l.id, l."publicId", l.name, l."wipLimit", l."archivedAt", ${dated("l")}
  FROM lists l WHERE l."boardId" = ANY($1::bigint[]) AND ${live("l")} ORDER BY l."boardId", l.position`;

/** The cards of a list behind the position $2, in order. */
export const cards = `SELECT c.id, c.position, c."publicId", c.number, c.title, c.description, c."startDate", c."dueDate",
    c."completedAt", c."archivedAt", ${dated("c")},
    ARRAY(SELECT a.number FROM card_aliases a WHERE a."cardId" = c.id AND a."workspaceId" = c."workspaceId" ORDER BY a.number) AS aliases,
    ARRAY(SELECT la."publicId" FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND ${live("la")}
      WHERE cl."cardId" = c.id ORDER BY la.id) AS "labelPublicIds",
    ARRAY(SELECT m."publicId" FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      WHERE cm."cardId" = c.id ORDER BY m.id) AS "memberPublicIds"
  FROM cards c WHERE c."listId" = $1 AND ${live("c")} AND c.position > $2 ORDER BY c.position LIMIT $3`;

/**
 * Rows on cards ($1, in order), after the keys $2 to $4, in the order of card, `first` and `second`.
 *
 * Each card is looked up by itself, so that a page costs as much as its rows.
 */
const onCards = (columns: string, from: string, where: string, first: string, second: string) =>
  `SELECT card_ref.nth, found.* FROM unnest($1::bigint[]) WITH ORDINALITY AS card_ref(card, nth)
   CROSS JOIN LATERAL (SELECT ${first} AS first, ${second} AS second, ${columns} FROM ${from}
     WHERE ${where} AND (card_ref.nth > $2 OR (${first}, ${second}) > ($3, $4))
     ORDER BY 1, 2 LIMIT $5) AS found
   WHERE card_ref.nth >= $2 ORDER BY card_ref.nth, found.first, found.second LIMIT $5`;

/** Checklists with their items, one row an item; a checklist without any has one row, without `item`. */
export const checklists = onCards(
  `ch."publicId" AS list, ch.name, ch."createdAt" AS "listCreatedAt", ch."updatedAt" AS "listUpdatedAt",
   i."publicId" AS item, i.title, i."completedAt", i."dueDate", m."publicId" AS "memberPublicId", ${dated("i")}`,
  `checklists ch LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND ${live("i")}
   LEFT JOIN members m ON m.id = i."memberId" AND m.status <> 'removed'`,
  `ch."cardId" = card_ref.card AND ${live("ch")}`,
  "ch.position",
  `coalesce(i.position, '' COLLATE "C")`,
);

/** Stored attachments, oldest first. */
export const attachments = onCards(
  `a."publicId", a.kind::text AS kind, a.filename, a."contentType", a.size, a.sha256,
   CASE WHEN a."storageKey" IS NOT NULL THEN 'files/' || coalesce(a.sha256, a."publicId") END AS file, a.url, ${dated("a")}`,
  "attachments a",
  `a."cardId" = card_ref.card AND ${live("a")} AND a.status = 'stored'`,
  `a."createdAt"`,
  "a.id",
);

/** Comments, oldest first. Removed members are named; deleted accounts are not. */
export const comments = onCards(
  `co."publicId", co.comment, co.version > 1 AS "isEdited", ${dated("co")}, m."publicId" AS "memberPublicId",
   coalesce(CASE WHEN m.id IS NOT NULL THEN u.name END, co."authorName", CASE WHEN u."deletedAt" IS NULL THEN u.name END) AS "authorName"`,
  `comments co LEFT JOIN users u ON u.id = co."createdById"
   LEFT JOIN members m ON m."userId" = u.id AND m."workspaceId" = co."workspaceId" AND m.status <> 'removed'`,
  `co."cardId" = card_ref.card AND ${live("co")}`,
  "0::bigint",
  "co.id",
);

/** The histories of cards, oldest first. */
export const activity = onCards(
  `e.type, e."actorType"::text AS "actorType", e."actorPublicId", e."actorName", e.data, e.changes, e."createdAt"`,
  `cards c JOIN events e ON e."cardPublicId" = c."publicId" AND e."isActivity"`,
  "c.id = card_ref.card",
  "0::bigint",
  "e.id",
);

/** The files of an archive, one row per name, after the name $2. */
export const files = `SELECT DISTINCT ON (name) * FROM (
    SELECT 'files/' || coalesce(a.sha256, a."publicId") AS name, a."storageKey" AS key, a.size
    FROM attachments a JOIN cards c ON c.id = a."cardId" AND ${live("c")} JOIN lists l ON l.id = c."listId" AND ${live("l")}
      JOIN boards b ON b.id = l."boardId" AND ${live("b")}
    WHERE a."workspaceId" = $1 AND ${live("a")} AND a.status = 'stored' AND a."storageKey" IS NOT NULL) AS found
  WHERE name > $2 ORDER BY name LIMIT $3`;
