import { type Seal, Unsealable } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

/** The content of a cursor; 400 when it was not sealed for `purpose`. */
export function openCursor(
  seal: Seal,
  purpose: string,
  cursor: string,
  message: string,
  field = "cursor",
): string {
  try {
    return seal.open(purpose, cursor);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw badRequest("cursor_unknown", message, [field]);
  }
}

/** Pages of a list in an order: a cursor is the sealed key of the last row. */
export function pagesBy<Key>(
  seal: Seal,
  list: string,
  write: (key: Key) => string,
  read: (text: string) => Key,
) {
  const purpose = `cursor of ${list}`;
  const message = "Invalid cursor. Send the `nextCursor` of a page of this listing.";
  return {
    /** The key of a cursor; 400 for a cursor of another list. */
    after: (cursor: string | undefined): Key | undefined =>
      cursor === undefined ? undefined : read(openCursor(seal, purpose, cursor, message)),
    /**
     * Drops the extra row that shows whether there is a next page, and makes the next cursor.
     *
     * `readTo` is the last key that was read, where rows behind it were not.
     */
    cut: <Row>(rows: Row[], limit: number, keyOf: (row: Row) => Key, readTo?: Key) => {
      const pageRows = rows.slice(0, limit);
      const last = pageRows.at(-1);
      const key = rows.length > limit && last !== undefined ? keyOf(last) : readTo;
      const nextCursor = key === undefined ? null : seal.sealEqually(purpose, write(key));
      return { rows: pageRows, nextCursor };
    },
  };
}

/** Pages of a list in the order of its ids. */
export function pagesById(seal: Seal, list: string) {
  const { after, cut } = pagesBy<bigint>(seal, list, String, BigInt);
  return {
    after,
    page<Row extends { id: bigint }, Item>(
      all: Row[],
      limit: number,
      show: (row: Row) => Item,
      readTo?: bigint,
    ) {
      const { rows, nextCursor } = cut(all, limit, ({ id }) => id, readTo);
      return { items: rows.map(show), nextCursor };
    },
  };
}
