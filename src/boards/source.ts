import type { Standing } from "../access/permit.ts";
import type { Query } from "../db/database.ts";
import { forbidden, notFound } from "../errors.ts";

type Source = { id: bigint; description: string | null };

const statement = `SELECT b.id, b.description FROM boards b
  WHERE b."publicId" = $1 AND b."workspaceId" = $2 AND b."deletedAt" IS NULL
    AND (b.visibility <> 'restricted' OR $3 OR EXISTS (SELECT 1 FROM board_members bm WHERE bm."boardId" = b.id AND bm."memberId" = $4))`;

/** The board that a copy is made of; 404 unless it lies in the same workspace and the caller may see it. */
export async function findSource(
  query: Query,
  boardPublicId: string,
  workspaceId: bigint,
  standing: Standing,
): Promise<Source> {
  if (!standing.may.has("board:view")) throw forbidden("board:view");
  const values = [boardPublicId, workspaceId, standing.may.has("workspace:manage"), standing.id];
  const [row] = await query<Source>(statement, values);
  if (row === undefined) throw notFound("board");
  return row;
}
