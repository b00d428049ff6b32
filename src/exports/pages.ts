import type { Query } from "../db/database.ts";

/** All rows of a statement that takes its values, the last row's key and a limit; read page by page. */
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

/** What a row of `hanging` statements has beside its own columns. */
export type Hanging = { nth: bigint; place: unknown; then: unknown };

const size = 500;

/** What hangs on a page of cards, of one kind: asked card by card, in their order, it is read in pages of its own. */
export function hangingOn<Row extends Hanging>(
  query: Query,
  sql: string,
  cards: bigint[],
  first: readonly [place: unknown, then: unknown],
) {
  const pages = paged<Row, unknown[]>(
    (after, limit) => query<Row>(sql, [cards, ...after, limit]),
    [0n, ...first],
    ({ nth, place, then }) => [nth, place, then],
    size,
  );
  let rows: Row[] = [];
  let next = 0;
  return {
    /** The rows of the `nth` card, counted from 1. */
    async *of(nth: bigint): AsyncGenerator<Row> {
      for (;;) {
        for (let row = rows[next]; row !== undefined; row = rows[++next]) {
          if (row.nth !== nth) return;
          yield row;
        }
        const page = await pages.next();
        if (page.done === true) return;
        [rows, next] = [page.value, 0];
      }
    },
  };
}
