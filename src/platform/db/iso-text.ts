import { sql, type Sql } from "./sql.ts";

/** SQL: a time as answers show it. */
export const isoText = (time: Sql): Sql =>
  sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
