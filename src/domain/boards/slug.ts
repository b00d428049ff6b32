import type { Query } from "../../platform/db/query.ts";
import { conflict } from "../../platform/errors.ts";
import { slugsFor } from "../slugs.ts";
import { sql } from "../../platform/db/sql.ts";

/** Whether another live board of the workspace has a slug. */
export async function isTaken(
  query: Query,
  workspaceId: bigint,
  slug: string,
  boardId: bigint,
): Promise<boolean> {
  const rows = await query(
    sql`SELECT 1 FROM boards WHERE "workspaceId" = ${workspaceId} AND slug = ${slug}
      AND id <> ${boardId} AND "deletedAt" IS NULL`,
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
    sql`SELECT slug FROM boards
      WHERE "workspaceId" = ${workspaceId} AND slug = ANY(${candidates}::text[])
      AND id <> ${board.id} AND "deletedAt" IS NULL`,
  );
  const free = candidates.find((one) => taken.every(({ slug }) => slug !== one));
  if (free === undefined) throw conflict("No free slug could be made from the board's.", ["slug"]);
  return free;
}
