import type { Query } from "../../platform/db/query.ts";

/** All rows of a statement that takes the last row's key and a limit, page by page. */
export async function* paged<Row, Key>(
  read: (after: Key, limit: number) => Promise<Row[]>,
  first: Key,
  keyOf: (row: Row) => Key,
  size: number,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, size);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = keyOf(last);
  }
}

/** What a row of a `hanging` statement has beside its own columns. */
export type Hanging = { nth: bigint; place: unknown; then: unknown };

/** What hangs on the cards of a page, of one kind; to be asked for card by card, in their order. */
export type HangingOn<Row> = {
  /** The next rows of the `nth` card, counted from 1; none when there are no more. */
  take: (nth: bigint) => Promise<Row[]>;
};

const size = 500;

/** Reads what hangs on cards in pages of its own, whose size is the same however much hangs on one card. */
export function hangingOn<Row extends Hanging>(
  query: Query,
  sql: string,
  cards: bigint[],
  first: readonly [place: unknown, then: unknown],
): HangingOn<Row> {
  const pages = paged<Row, unknown[]>(
    (after, limit) => query<Row>(sql, [cards, ...after, limit]),
    [0n, ...first],
    ({ nth, place, then }) => [nth, place, then],
    size,
  );
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
