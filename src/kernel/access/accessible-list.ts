import type { Query } from "../../platform/db/query.ts";
import { notFound } from "../../platform/errors.ts";
import type { Caller } from "./callers.ts";
import type { Membership } from "./authorize.ts";
import { visibleBoard, visibleValues } from "./visibility.ts";

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

const statement = `SELECT l.id, l."publicId", l.name, b.id AS "boardId", b."publicId" AS "boardPublicId", b.name AS "boardName"
  FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
  WHERE l."publicId" = $1 AND l."workspaceId" = $2 AND l."deletedAt" IS NULL
    AND ${visibleBoard(3)}`;

/** Finds a list that an input names beside the target; 404 unless it lies in the same workspace, on a board that the caller may see. */
export async function findAccessibleList(
  query: Query,
  listPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<AccessibleList> {
  const values = [listPublicId, from.workspace.id, ...visibleValues(from)];
  const [row] = await query<Row>(statement, values);
  if (row === undefined) throw notFound("list");
  const { boardId, boardPublicId, boardName, ...list } = row;
  return { ...list, board: { id: boardId, publicId: boardPublicId, name: boardName } };
}

const boardStatement = `SELECT 1 FROM boards b WHERE b."publicId" = $1 AND b."workspaceId" = $2 AND b."deletedAt" IS NULL AND ${visibleBoard(3)}`;

/** 404 unless a board that an input names beside the target lies in the same workspace, and the caller may see it. */
export async function checkBoardVisible(
  query: Query,
  boardPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<void> {
  const values = [boardPublicId, from.workspace.id, ...visibleValues(from)];
  if ((await query(boardStatement, values)).length === 0) throw notFound("board");
}
