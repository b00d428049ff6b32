import type { Query } from "../../platform/db/query.ts";
import { notFound } from "../../platform/errors.ts";
import type { Caller } from "./callers.ts";
import type { Membership } from "./authorize.ts";
import { sql } from "../../platform/db/sql.ts";
import { visibleBoard } from "./visibility.ts";

/** A list with its board, as far as another operation needs it. */
export type AccessibleList = {
  id: bigint;
  publicId: string;
  name: string;
  board: { id: bigint; publicId: string; name: string };
};

type Row = Omit<AccessibleList, "board"> & {
  boardId: bigint;
  boardPublicId: string;
  boardName: string;
};

/** Finds a list that an input names beside the target; 404 unless it lies in the same workspace, on a board that the caller may see. */
export async function findAccessibleList(
  query: Query,
  listPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<AccessibleList> {
  const [row] = await query<Row>(sql`
    SELECT l.id, l."publicId", l.name, b.id AS "boardId", b."publicId" AS "boardPublicId",
      b.name AS "boardName"
    FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
    WHERE l."publicId" = ${listPublicId} AND l."workspaceId" = ${from.workspace.id}
      AND l."deletedAt" IS NULL AND ${visibleBoard(from)}`);
  if (row === undefined) throw notFound("list");
  const { boardId, boardPublicId, boardName, ...list } = row;
  return { ...list, board: { id: boardId, publicId: boardPublicId, name: boardName } };
}

/** 404 unless a board that an input names beside the target lies in the same workspace, and the caller may see it. */
export async function checkBoardVisible(
  query: Query,
  boardPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<void> {
  const rows = await query(sql`SELECT 1 FROM boards b
    WHERE b."publicId" = ${boardPublicId} AND b."workspaceId" = ${from.workspace.id}
      AND b."deletedAt" IS NULL AND ${visibleBoard(from)}`);
  if (rows.length === 0) throw notFound("board");
}
