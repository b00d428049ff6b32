import { type Seal, Unsealable } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

/** The content of a cursor; 400 when it was not sealed for `purpose`. */
export function openCursor(seal: Seal, purpose: string, cursor: string): string {
  try {
    return seal.open(purpose, cursor);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    const message = "Invalid cursor. Send the `nextCursor` of a page of this listing.";
    throw badRequest("cursor_unknown", message, ["cursor"]);
  }
}

/** Pages of a list in the order of its ids: a cursor is the sealed id of the last row. */
export function pagesById(seal: Seal, list: string) {
  const purpose = `cursor of ${list}`;
  return {
    /** The id of a cursor; 400 for a cursor of another list. */
    after(cursor: string | undefined): bigint | undefined {
      return cursor === undefined ? undefined : BigInt(openCursor(seal, purpose, cursor));
    },
    /**
     * Drops the extra row that shows whether there is a next page, and makes the next cursor.
     *
     * `readTo` is the last id that was read, where rows behind it were not.
     */
    page<Row extends { id: bigint }, Item>(
      rows: Row[],
      limit: number,
      show: (row: Row) => Item,
      readTo?: bigint,
    ) {
      const last = rows.length > limit ? rows[limit - 1]?.id : readTo;
      return {
        items: rows.slice(0, limit).map(show),
        nextCursor: last === undefined ? null : seal.sealEqually(purpose, String(last)),
      };
    },
  };
}
