import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

/** Takes the next `count` card numbers of a workspace; answers the first. Nobody else gets them, ever. */
export async function takeNumbers(
  query: Query,
  workspaceId: bigint,
  count: number,
): Promise<number> {
  const [row] = await query<{ first: number }>(
    sql`UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count}
      WHERE id = ${workspaceId} RETURNING "lastCardNumber" - ${count} + 1 AS first`,
  );
  if (row === undefined) throw new Error("The workspace has gone.");
  return row.first;
}
