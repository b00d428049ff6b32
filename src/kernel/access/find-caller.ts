import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { callerOf, callerWith, type Caller } from "./callers.ts";
import { columnGroups, type Group } from "./column-groups.ts";
import type { Credential } from "./credential.ts";
import type { Target } from "./resolve-target.ts";

/** Finds the caller with a credential; null for one that is invalid or has expired. */
export async function findCaller(
  query: Query,
  credential: Credential,
  now: Date,
): Promise<Caller | null> {
  const callerWithRow = await findCallerWithRow(query, credential, now, undefined);
  return callerWithRow?.caller ?? null;
}

/** Finds the caller with a credential, and an extra row. */
export async function findCallerWithRow(
  query: Query,
  credential: Credential,
  now: Date,
  extra: Sql | undefined,
): Promise<Pick<Target, "caller" | "extra"> | null> {
  const caller = callerWith(credential, now);
  const [row] = await query<Group>(
    extra === undefined
      ? caller
      : sql`SELECT * FROM (${caller}) caller CROSS JOIN LATERAL (${extra}) extra`,
  );
  if (row === undefined) return null;
  const groups = columnGroups(row, "none");
  return { caller: callerOf(groups["caller"], groups["key"]), extra: groups["extra"] };
}

/**
 * Finds the caller with a credential, and whether an operator calls; null for an invalid one.
 *
 * An API key is no operator's: keys are in the files of programs, and an operator's programs have
 * the `ADMIN_KEY`.
 */
export async function findOperator(
  query: Query,
  credential: Credential,
  now: Date,
): Promise<{ caller: Caller; isOperator: boolean } | null> {
  const found = await findCallerWithRow(
    query,
    credential,
    now,
    sql`SELECT u."isOperator" AS "extra.isOperator" FROM users u
      WHERE u.id = caller."caller.userId"`,
  );
  if (found === null) return null;
  const { caller, extra } = found;
  return { caller, isOperator: caller.key === null && extra?.["isOperator"] === true };
}
