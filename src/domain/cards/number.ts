import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

const statement = (workspaceId: bigint, count: number) =>
  sql`UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count}
  WHERE id = ${workspaceId} RETURNING "lastCardNumber" - ${count} + 1 AS first`;

/** Takes the next `count` card numbers of a workspace, and answers the first of them. */
export async function takeNumbers(
  query: Query,
  workspaceId: bigint,
  count: number,
): Promise<number> {
  const [row] = await query<{ first: number }>(statement(workspaceId, count));
  if (row === undefined) throw new Error("The workspace does not exist.");
  return row.first;
}
