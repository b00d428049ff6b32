import type { Query } from "../../platform/db/query.ts";
import type { Value } from "../../platform/db/sql.ts";
import type { RowKey, RowsOnCards } from "./statements.ts";

/**
 * Reads all rows of a statement, page by page, by the key of the last row.
 *
 * The database reads the next page while the caller works on one.
 */
export async function* paged<Row, Key>(
  read: (after: Key, limit: number) => Promise<Row[]>,
  first: Key,
  keyOf: (row: Row) => Key,
  size: number,
): AsyncGenerator<Row[]> {
  let next: Promise<Row[]> | undefined = read(first, size);
  while (next !== undefined) {
    const rows: Row[] = await next;
    const last = rows.at(-1);
    next = last === undefined || rows.length < size ? undefined : read(keyOf(last), size);
    // The caller may leave before this page.
    next?.catch(() => undefined);
    if (rows.length > 0) yield rows;
  }
}

/** The columns that order the rows of an `onCards` statement. */
export type OnCard = { nth: bigint; first: Value; second: Value };

/** The rows of one kind on the cards of a page; read them card by card, in order. */
export type CardRows<Row> = {
  /** The next rows of the `nth` card, counted from 1; empty at the end. */
  take: (nth: bigint) => Promise<Row[]>;
};

const size = 500;

/** Reads the rows of one kind on cards in pages, in the order of the cards. */
export const pagesOn = <Row extends OnCard>(
  query: Query,
  statement: RowsOnCards,
  cards: bigint[],
  keys: readonly [first: Value, second: Value],
) =>
  paged<Row, RowKey>(
    (after, limit) => query<Row>(statement(cards, after, limit)),
    [0n, ...keys],
    ({ nth, first, second }) => [nth, first, second],
    size,
  );

/** Reads the rows on cards card by card, in pages of fixed size, however many one card has. */
export function rowsOn<Row extends OnCard>(
  ...request: Parameters<typeof pagesOn<Row>>
): CardRows<Row> {
  const pages = pagesOn<Row>(...request);
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
