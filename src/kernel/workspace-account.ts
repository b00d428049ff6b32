import { sql, type Sql } from "../platform/db/sql.ts";

/**
 * SQL: the account that shares of webhooks, jobs and mails count for, of the workspace `s`.
 *
 * A workspace without a maker shares with no other: it counts as its own negative id.
 */
export const workspaceAccount = sql`coalesce(s."createdById", -s.id)`;

/** SQL: the account of a workspace by its id. */
export const accountOfWorkspace = (id: bigint): Sql =>
  sql`coalesce((SELECT ${workspaceAccount} FROM workspaces s WHERE s.id = ${id}::bigint),
    -${id}::bigint)`;
