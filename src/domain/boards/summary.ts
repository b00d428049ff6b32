import type { z } from "zod";
import type { BoardSummary } from "../../contract/resources/boards.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Board } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showBoard } from "../shown/boards.ts";

type Summary = z.infer<typeof BoardSummary>;
type Context = {
  board: { id: bigint };
  caller: { userId: bigint };
  workspace: { publicId: string };
};

const countsOf = (boardId: bigint, userId: bigint) => sql`SELECT
  EXISTS (SELECT 1 FROM board_favourites
    WHERE "boardId" = ${boardId} AND "userId" = ${userId}) AS "isFavourite",
  (SELECT count(*)::int FROM lists WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL
    AND "archivedAt" IS NULL) AS "listCount"`;

/**
 * Reads what a summary shows beside the board's row; returns a function that shows a row with it.
 */
export function readSummary(query: Query, context: Context): Promise<(board: Board) => Summary> {
  const reading = showSummary(query, context);
  // A write that is refused does not wait for it.
  reading.catch(() => undefined);
  return reading;
}

async function showSummary(query: Query, { board: { id }, caller, workspace }: Context) {
  const [counts] = await query<Pick<Summary, "isFavourite" | "listCount">>(
    countsOf(id, caller.userId),
  );
  if (counts === undefined) throw new Error("The query returned no row.");
  return (board: Board): Summary => ({
    ...showBoard(board),
    workspacePublicId: workspace.publicId,
    ...counts,
  });
}
