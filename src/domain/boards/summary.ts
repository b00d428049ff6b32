import type { z } from "zod";
import type { BoardSummary } from "../../contract/resources/boards.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import type { Board } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showBoard } from "../presenters/boards.ts";

type Summary = z.infer<typeof BoardSummary>;
type Context = {
  caller: { userId: bigint };
  workspace: { publicId: string };
};

const countsOf = (boardId: bigint, userId: bigint) => sql`SELECT
  EXISTS (SELECT 1 FROM board_favourites
    WHERE "boardId" = ${boardId} AND "userId" = ${userId}) AS "isFavourite",
  (SELECT count(*)::int FROM lists WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL
    AND "archivedAt" IS NULL) AS "listCount"`;

/** A board as lists of boards show it. */
export async function boardSummary(
  query: Query,
  board: Board,
  { caller, workspace }: Context,
): Promise<Summary> {
  type Counts = Pick<Summary, "isFavourite" | "listCount">;
  const counts = firstRow(await query<Counts>(countsOf(board.id, caller.userId)));
  return { ...showBoard(board), workspacePublicId: workspace.publicId, ...counts };
}
