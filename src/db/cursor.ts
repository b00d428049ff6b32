import { badRequest } from "../errors.ts";

/** Writes the place after a row as an opaque cursor. */
export const cursorOf = (...keys: (string | bigint)[]) =>
  Buffer.from(JSON.stringify(keys.map(String))).toString("base64url");

/** Reads a cursor of `count` keys; 400 for one that was not made here. */
export function readCursor(cursor: string, count: number): string[] {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(keys) &&
      keys.length === count &&
      keys.every((key) => typeof key === "string")
    ) {
      return keys;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badRequest("The cursor is not one of ours.", ["cursor"]);
}

/** Reads a cursor whose only key is a row's id. */
export function readIdCursor(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  const [id = ""] = readCursor(cursor, 1);
  if (!/^\d{1,18}$/.test(id)) throw badRequest("The cursor is not one of ours.", ["cursor"]);
  return BigInt(id);
}

/** Cuts the one row too many that was read to see whether there are more, and makes the next cursor of the last one left. */
export function page<Row extends { id: bigint }, Item>(
  rows: Row[],
  limit: number,
  show: (row: Row) => Item,
) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(show),
    nextCursor: last === undefined ? null : cursorOf(last.id),
  };
}
