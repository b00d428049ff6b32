import { z } from "zod";
import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

const Keys = z.array(z.string());

/** The pages of a list in an order of its own. A cursor holds what the last row was ordered by, sealed, so that a page starts behind that place whatever has become of the row. */
export function pagesByKeys(seal: Seal, list: string) {
  const purpose = `cursor of ${list}`;
  return {
    /** What the last row of the page before was ordered by; 400 for a cursor that was not made for this list. */
    after(cursor: string | undefined): string[] | undefined {
      if (cursor === undefined) return undefined;
      try {
        return Keys.parse(JSON.parse(seal.open(purpose, cursor)));
      } catch (error) {
        if (!(error instanceof Unsealable)) throw error;
        throw badRequest("The cursor is not one of ours.", ["cursor"]);
      }
    },
    /** Cuts the one row too many that was read to see whether there are more, and makes the next cursor of the last one left. */
    page<Row extends { keys: string[] }>(rows: Row[], limit: number) {
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        rows: rows.slice(0, limit),
        nextCursor: last === undefined ? null : seal.seal(purpose, JSON.stringify(last.keys)),
      };
    },
  };
}
