import { isPassing, type CardSelection } from "../cards/filters.ts";
import { entryColumns } from "../cards/assemble.ts";
import { cardsOverLimit } from "../list-limits.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most bytes of cards in one answer. Of a larger board, each list shows its first cards. */
export const maxCardBytes = 4 * 1024 * 1024;
/** The bytes of a card without its title. */
export const bytesPerCard = 400;
/** No answer has more cards than this. */
export const maxCards = Math.floor(maxCardBytes / bytesPerCard);

/** The id of a board, or SQL for it. */
export type BoardId = bigint | Sql;

/** SQL: whether a selection shows the list `l`. */
export const isShownList = (boardId: BoardId, { archived, lists }: CardSelection) =>
  sql`l."boardId" = ${boardId} AND l."deletedAt" IS NULL
    ${archived ? sql.empty : sql`AND l."archivedAt" IS NULL`}
    ${lists === undefined ? sql.empty : sql`AND l."publicId" = ANY(${lists}::text[])`}`;

/** SQL: whether a selection shows the card `c` of a shown list, without its filters. */
export const isShownCard = ({ archived }: CardSelection) =>
  sql`c."deletedAt" IS NULL ${archived ? sql.empty : sql`AND c."archivedAt" IS NULL`}`;

/**
 * SQL: joins the card of the list `l` at the position of `first`.
 *
 * Each is found by the index, also before PostgreSQL has statistics.
 */
export const cardAtFirst = sql`CROSS JOIN LATERAL (SELECT * FROM cards c WHERE c."listId" = l.id
      AND c.position = first.position AND c."deletedAt" IS NULL OFFSET 0) c`;

/** SQL: the lists of a board. */
export const listsOf = (boardId: bigint, selection: CardSelection) => sql`
  SELECT l.*, ${cardsOverLimit} AS "cardsOverLimit" FROM lists l
  WHERE ${isShownList(boardId, selection)} ORDER BY l.position`;

/** SQL: how many cards each list has, with a due date or not, by index alone. */
export const countsOf = (boardId: bigint, selection: CardSelection) => sql`
  SELECT l.id, (SELECT count(*)::int FROM cards c
    WHERE c."listId" = l.id AND ${isShownCard(selection)}
      ${selection.due === "none" ? sql`AND c."dueDate" IS NULL` : sql.empty}) AS count
  FROM lists l
  WHERE ${isShownList(boardId, selection)}`;

const limitOf = (cardLimit: number | undefined) =>
  cardLimit === undefined || cardLimit > maxCards ? sql.number(maxCards) : sql`${cardLimit}`;

/**
 * SQL: the first cards of each list: the first of all lists, then the second.
 *
 * `liveCount` counts the cards up to this one that are not archived.
 */
export function firstCards(boardId: bigint, selection: CardSelection): Sql {
  return sql`SELECT ${entryColumns}, c."listId", c."liveCount"::int AS "liveCount"
    FROM (SELECT l.id FROM lists l WHERE ${isShownList(boardId, selection)}) l
    CROSS JOIN LATERAL (SELECT c.*, row_number() OVER in_order AS nth,
        count(*) FILTER (WHERE c."archivedAt" IS NULL) OVER in_order AS "liveCount"
      FROM cards c WHERE c."listId" = l.id AND ${isShownCard(selection)}
      WINDOW in_order AS (ORDER BY c.position ROWS UNBOUNDED PRECEDING)
      ORDER BY c.position LIMIT ${limitOf(selection.cardLimit)}) c
    ORDER BY c.nth, c."listId" LIMIT ${sql.number(maxCards)}`;
}

/** SQL: the first cards of each list without a due date, in the same order, by index alone. */
export function undatedCards(boardId: bigint, selection: CardSelection): Sql {
  return sql`SELECT ${entryColumns}, c."listId", first."liveCount"::int AS "liveCount"
    FROM (SELECT l.id FROM lists l WHERE ${isShownList(boardId, selection)}) l
    CROSS JOIN LATERAL (SELECT * FROM (SELECT c.position, c."dueDate",
          count(*) FILTER (WHERE c."dueDate" IS NULL) OVER in_order AS nth,
          count(*) FILTER (WHERE c."archivedAt" IS NULL) OVER in_order AS "liveCount"
        FROM cards c WHERE c."listId" = l.id AND ${isShownCard(selection)}
        WINDOW in_order AS (ORDER BY c.position ROWS UNBOUNDED PRECEDING)) numbered
      WHERE "dueDate" IS NULL ORDER BY position LIMIT ${limitOf(selection.cardLimit)}) first
    ${cardAtFirst}
    ORDER BY first.nth, c."listId" LIMIT ${sql.number(maxCards)}`;
}

/**
 * SQL: the first cards of each list that pass the filters, in the same order.
 *
 * `liveCount` counts the cards that are not archived, from the previous row of the list to this
 * one. `total` counts the cards of the list that pass.
 */
export function matchingCards(boardId: bigint, selection: CardSelection): Sql {
  const { cardLimit } = selection;
  return sql`SELECT ${entryColumns}, c."listId", (SELECT count(*)::int FROM cards o
      WHERE o."listId" = first."listId" AND o."deletedAt" IS NULL AND o."archivedAt" IS NULL
        AND o.position > coalesce(first.previous, '-infinity')
        AND o.position <= first.position) AS "liveCount",
      first.total::int AS total
    FROM (SELECT * FROM (SELECT c.id, c."listId", c.position, row_number() OVER in_order AS nth,
          lag(c.position) OVER in_order AS previous,
          count(*) OVER (PARTITION BY c."listId") AS total
        FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
        WHERE c."boardId" = ${boardId} AND ${isShownList(boardId, selection)}
          AND ${isShownCard(selection)} ${isPassing(selection)}
        WINDOW in_order AS (PARTITION BY c."listId" ORDER BY c.position)) found
      WHERE nth <= ${limitOf(cardLimit)} ORDER BY nth, "listId" LIMIT ${sql.number(maxCards)}) first
    JOIN cards c ON c.id = first.id ORDER BY first.nth, first."listId"`;
}
