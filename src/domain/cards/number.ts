import type { Query } from "../../platform/db/query.ts";

/** Takes the next `count` card numbers of a workspace; answers the first. Nobody else gets them, ever. */
export async function takeNumbers(
  query: Query,
  workspaceId: bigint,
  count: number,
): Promise<number> {
  const [row] = await query<{ first: number }>(
    `UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + $2 WHERE id = $1 RETURNING "lastCardNumber" - $2 + 1 AS first`,
    [workspaceId, count],
  );
  if (row === undefined) throw new Error("The workspace has gone.");
  return row.first;
}
