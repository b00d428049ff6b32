import { sql, type Sql, type Value } from "../../platform/db/sql.ts";

/** The columns that order the rows on cards: the number of their card, and two of their own. */
export type OnCard = { nth: bigint; first: Value; second: Value };

/** The key of a row on cards: its columns of `OnCard`. */
export type RowKey = readonly [nth: bigint, first: Value, second: Value];

/** Reads a page of the rows on cards, in the order of the cards, behind a key. */
export type RowsOnCards = (cardIds: bigint[], after: RowKey, limit: number) => Sql;

/** Where the rows on the cards `card_ref` are, and which two columns order them. */
type Rows = {
  columns: Sql;
  from: Sql;
  where: Sql;
  first: Sql;
  second: Sql;
  /** What is read beside the rows of a `page`: once, not for each card. */
  joined?: { columns: Sql; from: Sql };
};

/** Reads the rows of one kind, card by card, so that a page costs as much as its rows. */
export const onCards =
  ({ columns, from, where, first, second, joined }: Rows): RowsOnCards =>
  (cardIds, [nth, afterFirst, afterSecond], limit) => {
    const page = sql`
    SELECT card_ref.nth, found.*
    FROM unnest(${cardIds}::bigint[]) WITH ORDINALITY AS card_ref(card, nth)
    CROSS JOIN LATERAL (SELECT ${first} AS first, ${second} AS second, ${columns} FROM ${from}
      WHERE ${where} AND (card_ref.nth > ${nth}
        OR (${first}, ${second}) > (${afterFirst}, ${afterSecond}))
      ORDER BY 1, 2 LIMIT ${limit}) AS found
    WHERE card_ref.nth >= ${nth}
    ORDER BY card_ref.nth, found.first, found.second LIMIT ${limit}`;
    if (joined === undefined) return page;
    return sql`SELECT page.*, ${joined.columns} FROM (${page}) page ${joined.from}
      ORDER BY page.nth, page.first, page.second`;
  };

/** The id of the card that the rows are on. */
export const cardRef = sql`card_ref.card`;

/** SQL: rows as an array in JSON. */
export const jsonRows = (rows: Sql) => sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;

/** SQL: elements as an array in JSON, in an order. */
export const jsonList = (element: Sql, from: Sql, order: Sql) =>
  sql`coalesce((SELECT json_agg(${element} ORDER BY ${order}) FROM ${from}), '[]')`;
