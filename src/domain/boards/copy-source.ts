import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { visibleBoard, visibleValues } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { forbidden, notFound } from "../../platform/errors.ts";

type Source = { id: bigint; description: string | null };

const statement = `SELECT b.id, b.description FROM boards b
  WHERE b."publicId" = $1 AND b."workspaceId" = $2 AND b."deletedAt" IS NULL
    AND ${visibleBoard(3)}`;

/** Finds the board to copy; 404 unless it is in the same workspace and visible to the caller. */
export async function findSource(
  query: Query,
  boardPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<Source> {
  if (!from.membership.may.has("board:view")) throw forbidden("board:view");
  const values = [boardPublicId, from.workspace.id, ...visibleValues(from)];
  const [row] = await query<Source>(statement, values);
  if (row === undefined) throw notFound("board");
  return row;
}
