import type { Query } from "../../platform/db/query.ts";
import { notFound } from "../../platform/errors.ts";
import type { Caller } from "./callers.ts";
import type { Membership } from "./authorize.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isVisible, viewerOf } from "./visibility.ts";

/** A list that an input names in addition to the target, with its board. */
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

type From = { workspace: { id: bigint }; membership: Membership; caller: Caller };

/** Finds a list in the target's workspace; throws 404 unless its board is visible to the caller. */
export async function findAccessibleList(
  query: Query,
  listPublicId: string,
  from: From,
): Promise<AccessibleList> {
  const [row] = await query<Row>(sql`${selectLists}
    WHERE l."publicId" = ${listPublicId} AND l."workspaceId" = ${from.workspace.id}
      AND l."deletedAt" IS NULL AND ${isVisible(viewerOf(from))}`);
  if (row === undefined) throw notFound("list");
  return listOf(row);
}

/** Locks the lists `l` of the boards `b` that a condition names, and reads them. */
export async function lockLists(
  tx: { query: Query; recordLocked: (table: "lists", id: bigint) => void },
  condition: Sql,
): Promise<AccessibleList[]> {
  const rows = await tx.query<Row>(sql`${selectLists}
    WHERE ${condition} AND l."deletedAt" IS NULL ORDER BY l.id FOR NO KEY UPDATE OF l`);
  for (const { id } of rows) tx.recordLocked("lists", id);
  return rows.map(listOf);
}

const selectLists = sql`SELECT l.id, l."publicId", l.name, b.id AS "boardId",
    b."publicId" AS "boardPublicId", b.name AS "boardName"
  FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL`;

function listOf({ boardId, boardPublicId, boardName, ...list }: Row): AccessibleList {
  return { ...list, board: { id: boardId, publicId: boardPublicId, name: boardName } };
}

/** Throws 404 unless a board of an input is visible to the caller in the target's workspace. */
export async function checkBoardVisible(
  query: Query,
  boardPublicId: string,
  from: From,
): Promise<void> {
  const rows = await query(sql`SELECT 1 FROM boards b
    WHERE b."publicId" = ${boardPublicId} AND b."workspaceId" = ${from.workspace.id}
      AND b."deletedAt" IS NULL AND ${isVisible(viewerOf(from))}`);
  if (rows.length === 0) throw notFound("board");
}
