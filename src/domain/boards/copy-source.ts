import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { isVisible, viewerOf } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Board } from "../../platform/db/rows.ts";
import { notFound, missingPermission } from "../../platform/errors.ts";

type Source = Pick<Board, "id" | "description" | "visibility">;

/** What a copy shows of its source. */
const shown = ["board:view", "list:view", "card:view"] as const;

/** Finds the board to copy; 404 unless it is in the same workspace and visible to the caller. */
export async function findSource(
  query: Query,
  boardPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<Source> {
  const missing = shown.find((permission) => !from.membership.may.has(permission));
  if (missing !== undefined) throw missingPermission(missing);
  const [row] = await query<Source>(sql`SELECT b.id, b.description,
      b.visibility::text AS visibility FROM boards b
    WHERE b."publicId" = ${boardPublicId} AND b."workspaceId" = ${from.workspace.id}
      AND b."deletedAt" IS NULL AND ${isVisible(viewerOf(from))}`);
  if (row === undefined) throw notFound("board");
  return row;
}
