import { isDue, type CardSelection } from "../cards/filters.ts";
import { memberName } from "../cards/summaries.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most bytes of cards in one answer. Of a larger board, each list shows its first cards. */
export const maxCardBytes = 4 * 1024 * 1024;
/** What a card weighs beside its title. */
export const bytesPerCard = 400;
/** No answer has more cards than this. */
export const maxCards = Math.floor(maxCardBytes / bytesPerCard);
/** The most labels, members and counts of cards in one answer. */
export const maxRelations = 40_000;

/** SQL: whether a selection shows the list `l`. */
const isShownList = (boardId: bigint, { archived, lists }: CardSelection) =>
  sql`l."boardId" = ${boardId} AND l."deletedAt" IS NULL
    ${archived ? sql.empty : sql`AND l."archivedAt" IS NULL`}
    ${lists === undefined ? sql.empty : sql`AND l."publicId" = ANY(${lists}::text[])`}`;

/** SQL: whether a selection shows the card `c` of a shown list, without its filters. */
const isLive = ({ archived }: CardSelection) =>
  sql`c."deletedAt" IS NULL ${archived ? sql.empty : sql`AND c."archivedAt" IS NULL`}`;

/** SQL: the lists of a board. */
export const listsOf = (boardId: bigint, selection: CardSelection) => sql`
  SELECT l.id, l."publicId", l.name, l."wipLimit", l."archivedAt" IS NOT NULL, l.version,
    l."createdAt", l."updatedAt"
  FROM lists l WHERE ${isShownList(boardId, selection)} ORDER BY l.position`;

/** SQL: how many cards each list has, by index alone. */
export const countsOf = (boardId: bigint, selection: CardSelection) => sql`
  SELECT l.id, (SELECT count(*) FROM cards c
    WHERE c."listId" = l.id AND ${isLive(selection)}) FROM lists l
  WHERE ${isShownList(boardId, selection)}`;

/** SQL: the labels of a board, each with its rank among the labels of a card. */
export const labelsOf = (boardId: bigint) => sql`
  SELECT id, "publicId", name, "colourCode", row_number() OVER (ORDER BY name, "publicId")
  FROM labels WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, id`;

const cardColumns = sql`c.id, c."listId", c."publicId", c.number, c.title,
  coalesce(c.description, '') <> '', c."startDate", c."dueDate", c.version,
  c."completedAt" IS NOT NULL, c."archivedAt" IS NOT NULL`;
const limitOf = (cardLimit: number | undefined) =>
  cardLimit === undefined || cardLimit > maxCards ? sql.number(maxCards) : sql`${cardLimit}`;

/**
 * SQL: the first cards of each list: the first of all lists, then the second.
 *
 * The last column counts the cards up to this one that are not archived.
 */
export function firstCards(boardId: bigint, selection: CardSelection): Sql {
  return sql`SELECT ${cardColumns}, c."liveCount"
    FROM (SELECT l.id FROM lists l WHERE ${isShownList(boardId, selection)}) l
    CROSS JOIN LATERAL (SELECT c.*, row_number() OVER in_order AS nth,
        count(*) FILTER (WHERE c."archivedAt" IS NULL) OVER in_order AS "liveCount"
      FROM cards c WHERE c."listId" = l.id AND ${isLive(selection)}
      WINDOW in_order AS (ORDER BY c.position ROWS UNBOUNDED PRECEDING)
      ORDER BY c.position LIMIT ${limitOf(selection.cardLimit)}) c
    ORDER BY c.nth, c."listId" LIMIT ${sql.number(maxCards)}`;
}

/**
 * SQL: the first cards of each list that pass the filters, in the same order.
 *
 * The last columns count the cards that are not archived from the previous row of the list up to
 * this one, and the cards of the list that pass.
 */
export function matchingCards(boardId: bigint, selection: CardSelection): Sql {
  const { cardLimit } = selection;
  return sql`SELECT ${cardColumns}, (SELECT count(*) FROM cards o
      WHERE o."listId" = first."listId" AND o."deletedAt" IS NULL AND o."archivedAt" IS NULL
        AND o.position > coalesce(first.previous, '') AND o.position <= first.position),
      first.total
    FROM (SELECT * FROM (SELECT c.id, c."listId", c.position, row_number() OVER in_order AS nth,
          lag(c.position) OVER in_order AS previous,
          count(*) OVER (PARTITION BY c."listId") AS total
        FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
        WHERE c."boardId" = ${boardId} AND ${isShownList(boardId, selection)}
          AND ${isLive(selection)} AND ${passes(selection)}
        WINDOW in_order AS (PARTITION BY c."listId" ORDER BY c.position)) found
      WHERE nth <= ${limitOf(cardLimit)} ORDER BY nth, "listId" LIMIT ${sql.number(maxCards)}) first
    JOIN cards c ON c.id = first.id ORDER BY first.nth, first."listId"`;
}

/** SQL: whether the card `c` of the workspace `w` passes the filters; each finds it by an index. */
const passes = ({ members, labels, due, now, timeZone = "UTC" }: CardSelection): Sql => sql`
  ${due === undefined ? sql`true` : isDue(due, now ?? null, sql`${timeZone}::text`)}
  ${members === undefined ? sql.empty : sql`AND c.id IN (${ofMembers(members)})`}
  ${labels === undefined ? sql.empty : sql`AND c.id IN (${withLabels(labels)})`}`;
const ofMembers = (publicIds: string[]) => sql`SELECT cm."cardId" FROM members m
  JOIN card_members cm ON cm."memberId" = m.id
  WHERE m."publicId" = ANY(${publicIds}::text[]) AND m.status <> 'removed'`;
const withLabels = (publicIds: string[]) => sql`SELECT cl."cardId" FROM labels la
  JOIN card_labels cl ON cl."labelId" = la.id
  WHERE la."publicId" = ANY(${publicIds}::text[]) AND la."deletedAt" IS NULL`;

/** SQL: the cards `c` of a whole board. */
export const cardsOfBoard = (boardId: bigint) =>
  sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`;
/** SQL: the cards `c` with some ids. */
export const cardsWith = (ids: readonly string[]) => sql`c.id = ANY(${ids}::bigint[])`;

/** SQL: the labels, members and counts of cards: the card, the kind, and an id or two counts. */
export const relationsOf = (isCard: Sql) => sql`
  SELECT c.id, 'label', cl."labelId", NULL::bigint
  FROM cards c JOIN card_labels cl ON cl."cardId" = c.id
    JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE ${isCard}
  UNION ALL SELECT c.id, 'member', cm."memberId", NULL
  FROM cards c JOIN card_members cm ON cm."cardId" = c.id
    JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' WHERE ${isCard}
  UNION ALL SELECT c.id, 'items', count(*), count(i."completedAt")
  FROM cards c JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL
    JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'comments', count(*), NULL
  FROM cards c JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'attachments', count(*), NULL
  FROM cards c JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL
    AND a.status = 'stored' WHERE ${isCard} GROUP BY c.id
  ORDER BY 1 LIMIT ${sql.number(maxRelations)}`;

/** SQL: the members who are assigned to cards, in the order that a card shows them. */
export const membersOf = (isCard: Sql) => sql`
  SELECT m.id, m."publicId", ${memberName} AS name, u.image
  FROM members m LEFT JOIN users u ON u.id = m."userId"
  WHERE m.status <> 'removed' AND m.id IN (SELECT cm."memberId" FROM cards c
    JOIN card_members cm ON cm."cardId" = c.id WHERE ${isCard})
  ORDER BY name, m."publicId"`;
