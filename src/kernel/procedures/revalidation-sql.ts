import { sql, type Sql } from "../../platform/db/sql.ts";
import type { CachedResponses } from "../response-cache/cache.ts";
import type { LogPosition } from "../events/cursor.ts";
import { isUnchanged, lastPosition } from "../events/log-sql.ts";
import { workspaceLog } from "../events/logs.ts";

/** The row of a revalidation. */
export type RevalidationRow = LogPosition & { isCurrent: boolean };

const columns = ["number", "publicId", "createdAt"] as const;

/**
 * SQL: the position of the snapshot in the log, and whether cached answers are current there.
 *
 * The query is within one that has a `workspace`.
 */
export const revalidationSql = (cached: CachedResponses, board: Sql): Sql => sql`SELECT ${sql.join(
  columns.map((name) => sql`state.${sql.identifier(name)} AS ${sql.identifier(`extra.${name}`)}`),
  sql`, `,
)}, ${isUnchanged(cached, sql`workspace.id`, board)}
    AND ${haveSameAuthors(cached)} AS "extra.isCurrent"
  FROM (${lastPosition(workspaceLog(sql`workspace.id`))}) state`;

/** The row of a revalidation, from the columns of a row that are named `extra.…`. */
export const revalidationRowOf = (row: Record<string, unknown>): RevalidationRow =>
  // The revalidation selects every column of its row.
  Object.fromEntries(
    [...columns, "isCurrent"].map((name) => [name, row[`extra.${name}`]]),
  ) as RevalidationRow;

/** SQL: the versions of users, as one text. */
const versions = (ids: bigint[]) => sql`(SELECT coalesce(
  string_agg(u.id || ':' || u.xmin, ',' ORDER BY u.id), '') FROM users u
  WHERE u.id = ANY(${ids}::bigint[]))`;

function haveSameAuthors({ authors }: CachedResponses): Sql {
  if (authors.size === 0) return sql`true`;
  const ids = [...authors.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const cachedVersions = ids.map((id) => `${id}:${authors.get(id)}`).join();
  return sql`${versions(ids)} = ${cachedVersions}`;
}

/** SQL: the versions of the rows of users. */
export const authorVersions = (ids: bigint[]): Sql =>
  sql`SELECT id, xmin::text AS version FROM users WHERE id = ANY(${ids}::bigint[])`;
