import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

/** The pages of one list. A cursor is the id of a page's last row, sealed: ids never leave the server, and no other list takes it. */
export function pagesById(seal: Seal, list: string) {
  const purpose = `cursor of ${list}`;
  return {
    /** The id after which a page starts; 400 for a cursor that was not made for this list. */
    after(cursor: string | undefined): bigint | undefined {
      if (cursor === undefined) return undefined;
      try {
        return BigInt(seal.open(purpose, cursor));
      } catch (error) {
        if (!(error instanceof Unsealable)) throw error;
        throw badRequest("The cursor is not one of ours.", ["cursor"]);
      }
    },
    /** Cuts the one row too many that was read to see whether there are more, and makes the next cursor of the last one left. */
    page<Row extends { id: bigint }, Item>(rows: Row[], limit: number, show: (row: Row) => Item) {
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        items: rows.slice(0, limit).map(show),
        nextCursor: last === undefined ? null : seal.seal(purpose, String(last.id)),
      };
    },
  };
}
