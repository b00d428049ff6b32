import type { RowsPart } from "../../domain/parts/part.ts";
import type { Query } from "../../platform/db/query.ts";
import {
  rowsOnCards,
  type CardRows,
  type OnCard,
  type RowKey,
} from "../../domain/parts/rows-sql.ts";

/**
 * Reads all rows of a statement, page by page, by the key of the last row.
 *
 * The database reads the next page while the caller works on one.
 */
export async function* paged<Row, Key>(
  readPage: (after: Key, limit: number) => Promise<Row[]>,
  first: Key,
  keyOf: (row: Row) => Key,
  size: number,
): AsyncGenerator<Row[]> {
  let next: Promise<Row[]> | undefined = readPage(first, size);
  while (next !== undefined) {
    const rows: Row[] = await next;
    const last = rows.at(-1);
    next = last === undefined || rows.length < size ? undefined : readPage(keyOf(last), size);
    // The caller may leave before this page.
    next?.catch(() => undefined);
    if (rows.length > 0) yield rows;
  }
}

/** The rows of one kind on the cards of a page; read them card by card, in order. */
export type RowsByCard<Row> = {
  /** The next rows of the `nth` card, counted from 1; empty at the end. */
  take: (nth: bigint) => Promise<Row[]>;
};

const size = 500;

/** Reads the rows of one kind on cards in pages, in the order of the cards. */
export const pagesOn = <Row extends OnCard>(query: Query, rows: CardRows, cards: bigint[]) =>
  paged<Row, RowKey>(
    (after, limit) => query<Row>(rowsOnCards(rows, cards, after, limit)),
    [0n, ...rows.start],
    ({ nth, first, second }) => [nth, first, second],
    size,
  );

/** Pages in which the last group of rows is whole: what is left of it comes with the next page. */
async function* wholePages<Row>(
  pages: AsyncIterable<Row[]>,
  groupOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  let remaining: Row[] = [];
  for await (const page of pages) {
    const rows = [...remaining, ...page];
    const last = rows.at(-1);
    const isLast = (row: Row) => last !== undefined && groupOf(row) === groupOf(last);
    const end = rows.findIndex(isLast);
    remaining = rows.slice(end);
    if (end > 0) yield rows.slice(0, end);
  }
  if (remaining.length > 0) yield remaining;
}

/** Gives out the rows on cards card by card, in pages of fixed size, however many one card has. */
export function byCard<Row extends OnCard>(pages: AsyncGenerator<Row[]>): RowsByCard<Row> {
  let rows: Row[] = [];
  let next = 0;
  return {
    async take(nth) {
      if (next === rows.length) {
        const page = await pages.next();
        if (page.done === true) return [];
        [rows, next] = [page.value, 0];
      }
      const start = next;
      while (rows[next]?.nth === nth) next++;
      return rows.slice(start, next);
    },
  };
}

/** The pages of the rows of a part on some cards, in which each thing is whole. */
export function partPages(query: Query, rows: RowsPart, cards: bigint[]): AsyncGenerator<OnCard[]> {
  const pages = pagesOn(query, rows, cards);
  return rows.groupOf === undefined ? pages : wholePages(pages, rows.groupOf);
}
