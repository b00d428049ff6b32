import { customAlphabet } from "nanoid";
import { sql, type Sql } from "./sql.ts";

/** A new public id: 12 random characters of 0-9a-z. */
export const publicId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 12);

/**
 * SQL: a new public id.
 *
 * `row` is a column of the row that gets the id; without it all rows would get the same one.
 */
export const newPublicIdSql = (row: Sql): Sql =>
  sql`(SELECT string_agg(
      substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + floor(random() * 36)::int, 1), '')
    FROM generate_series(1, 12) WHERE ${row} IS NOT NULL)`;
