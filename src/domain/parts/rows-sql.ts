import { sql, type Sql, type Value } from "../../platform/db/sql.ts";

/** The columns that order the rows on cards: the number of their card, and two of their own. */
export type OnCard = { nth: bigint; first: Value; second: Value };

/** The key of a row on cards: its columns of `OnCard`. */
export type RowKey = readonly [nth: bigint, first: Value, second: Value];

/** What is read of the rows on cards, and which two columns order those of a card. */
export type CardRows = {
  columns: Sql;
  from: Sql;
  isOn: (cardId: Sql) => Sql;
  first: Sql;
  second: Sql;
  /** The key before the first row. */
  start: readonly [first: Value, second: Value];
  /** What is read beside the rows of a `page`: once, not for each card. */
  joined?: { columns: Sql; from: Sql };
};

const card = sql`card_ref.card`;
const rowsOn = ({ columns, from, isOn, first, second }: CardRows, cardId: Sql) =>
  sql`SELECT ${first} AS first, ${second} AS second, ${columns} FROM ${from} WHERE ${isOn(cardId)}`;

const withJoined = (page: Sql, { joined }: CardRows) =>
  joined === undefined
    ? page
    : sql`SELECT page.*, ${joined.columns} FROM (${page}) page ${joined.from}`;

/**
 * SQL: a page of the rows of one kind on some cards, in the order of the cards, behind a key.
 *
 * Each card is read for itself, so that a page costs as much as its rows.
 */
export function rowsOnCards(
  rows: CardRows,
  cardIds: bigint[],
  [nth, afterFirst, afterSecond]: RowKey,
  limit: number,
): Sql {
  const page = sql`
    SELECT card_ref.nth, found.*
    FROM unnest(${cardIds}::bigint[]) WITH ORDINALITY AS card_ref(card, nth)
    CROSS JOIN LATERAL (${rowsOn(rows, card)} AND (card_ref.nth > ${nth}
        OR (${rows.first}, ${rows.second}) > (${afterFirst}, ${afterSecond}))
      ORDER BY 1, 2 LIMIT ${limit}) AS found
    WHERE card_ref.nth >= ${nth}
    ORDER BY card_ref.nth, found.first, found.second LIMIT ${limit}`;
  if (rows.joined === undefined) return page;
  return sql`${withJoined(page, rows)} ORDER BY page.nth, page.first, page.second`;
}

/** Rows on cards, of which a card shows the latest ones if there are many. */
type ShownRows = CardRows & { textBytes: Sql; latest?: number };

const latestOn = (rows: ShownRows, cardId: Sql) =>
  rows.latest === undefined
    ? rowsOn(rows, cardId)
    : sql`${rowsOn(rows, cardId)} ORDER BY 1 DESC, 2 DESC LIMIT ${sql.number(rows.latest)}`;

/** SQL: the rows on one card, as an array in JSON. */
export const jsonOfRows = (rows: ShownRows, cardId: Sql): Sql =>
  sql`(SELECT coalesce(json_agg(x ORDER BY x.first, x.second), '[]')
    FROM (${withJoined(latestOn(rows, cardId), rows)}) x)`;

/** SQL: about how many bytes answers have of the rows on one card. */
export const bytesOfRows = (rows: ShownRows, cardId: Sql): Sql =>
  sql`(SELECT sum(100 + x.bytes)
    FROM (${latestOn({ ...rows, columns: sql`${rows.textBytes} AS bytes` }, cardId)}) x)`;

/** SQL: rows as an array in JSON. */
export const jsonRows = (rows: Sql) => sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;
