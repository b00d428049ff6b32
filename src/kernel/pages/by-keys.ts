import { z } from "zod";
import type { Seal } from "../../platform/crypto/seal.ts";
import { openCursor } from "./by-id.ts";

const Keys = z.array(z.string().nullable());

/** Pages of a list in its own order: a cursor is the sealed sort keys of the last row. */
export function pagesByKeys(seal: Seal, list: string) {
  const purpose = `cursor of ${list}`;
  return {
    /** The sort keys of a cursor; 400 for a cursor of another list. */
    after(cursor: string | undefined): (string | null)[] | undefined {
      return cursor === undefined
        ? undefined
        : Keys.parse(JSON.parse(openCursor(seal, purpose, cursor)));
    },
    /**
     * Drops the extra row that shows whether there is a next page, and makes the next cursor.
     *
     * `readTo` are the last keys that were read, where rows behind them were not.
     */
    page<Row extends { keys: (string | null)[] }>(
      rows: Row[],
      limit: number,
      readTo?: (string | null)[],
    ) {
      const last = rows.length > limit ? rows[limit - 1]?.keys : readTo;
      return {
        rows: rows.slice(0, limit),
        nextCursor: last === undefined ? null : seal.sealEqually(purpose, JSON.stringify(last)),
      };
    },
  };
}
