import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

/** Pages of a list in the order of its ids: a cursor is the sealed id of the last row. */
export function pagesById(seal: Seal, list: string) {
  const purpose = `cursor of ${list}`;
  return {
    /** The id of a cursor; 400 for a cursor of another list. */
    after(cursor: string | undefined): bigint | undefined {
      if (cursor === undefined) return undefined;
      try {
        return BigInt(seal.open(purpose, cursor));
      } catch (error) {
        if (!(error instanceof Unsealable)) throw error;
        throw badRequest(
          "cursor_unknown",
          "Invalid cursor. Send the `nextCursor` of a page of this listing.",
          ["cursor"],
        );
      }
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
        nextCursor: last === undefined ? null : seal.seal(purpose, String(last)),
      };
    },
  };
}
