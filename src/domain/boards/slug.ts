import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import { conflict } from "../../platform/errors.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { comparedSlug } from "../../kernel/access/resolve-target.ts";
import { isReserved, slugReserved, slugsFor, slugTaken } from "../slugs.ts";
import { sql } from "../../platform/db/sql.ts";

const compared = comparedSlug(sql`boards`);
const takenSlugs = (workspaceId: bigint, slugs: string[], boardId: bigint) =>
  sql`SELECT ${compared} AS slug FROM boards
  WHERE "workspaceId" = ${workspaceId} AND id <> ${boardId} AND "deletedAt" IS NULL
    AND ${compared} = ANY(${slugs.map((slug) => slug.toLowerCase())}::text[])`;

/** Checks whether another live board of the workspace, which the viewer sees, has a slug. */
export async function isTaken(
  query: Query,
  workspaceId: bigint,
  slug: string,
  boardId: bigint,
  viewer?: Viewer,
): Promise<boolean> {
  const ifVisible = viewer === undefined ? sql.empty : sql` AND ${isVisible(viewer, sql`boards`)}`;
  const rows = await query(sql`${takenSlugs(workspaceId, [slug], boardId)}${ifVisible}`);
  return rows.length > 0;
}

/** 409 for a slug that is reserved or taken; locks the workspace's row until commit. */
export async function checkSlug(
  tx: UnitOfWork,
  workspaceId: bigint,
  slug: string,
  boardId: bigint | null = null,
): Promise<void> {
  if (isReserved(slug)) throw slugReserved(slug);
  await tx.lock("workspaces", [workspaceId]);
  if (await isTaken(tx.query, workspaceId, slug, boardId ?? 0n)) throw slugTaken(slug);
}

/** A board's slug if it is free, else one with a suffix; it locks the workspace until commit. */
export async function freeSlug(
  tx: UnitOfWork,
  workspaceId: bigint,
  board: { id: bigint; slug: string },
): Promise<string> {
  const candidates = [board.slug, ...slugsFor(board.slug)];
  await tx.lock("workspaces", [workspaceId]);
  const rows = await tx.query<{ slug: string }>(takenSlugs(workspaceId, candidates, board.id));
  const unused = candidates.find((candidate) =>
    rows.every(({ slug }) => slug !== candidate.toLowerCase()),
  );
  if (unused === undefined)
    throw conflict("no_free_slug", "No free slug found for the board. Try again.", ["slug"]);
  return unused;
}
