import type { Query } from "../../platform/db/query.ts";
import { conflict } from "../../platform/errors.ts";
import { slugsFor } from "../slugs.ts";

/** Whether another live board of the workspace has a slug. */
export async function isTaken(
  query: Query,
  workspaceId: bigint,
  slug: string,
  boardId: bigint,
): Promise<boolean> {
  const rows = await query(
    `SELECT 1 FROM boards WHERE "workspaceId" = $1 AND slug = $2 AND id <> $3 AND "deletedAt" IS NULL`,
    [workspaceId, slug, boardId],
  );
  return rows.length > 0;
}

/** A board's slug where it can have it, else the same with a suffix; the caller has locked the workspace. */
export async function slugIn(
  query: Query,
  workspaceId: bigint,
  board: { id: bigint; slug: string },
): Promise<string> {
  const candidates = [board.slug, ...slugsFor(board.slug)];
  const taken = await query<{ slug: string }>(
    `SELECT slug FROM boards WHERE "workspaceId" = $1 AND slug = ANY($2::text[]) AND id <> $3 AND "deletedAt" IS NULL`,
    [workspaceId, candidates, board.id],
  );
  const free = candidates.find((one) => taken.every(({ slug }) => slug !== one));
  if (free === undefined) throw conflict("No free slug could be made from the board's.", ["slug"]);
  return free;
}
