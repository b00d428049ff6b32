import { indexCards } from "../../../src/domain/search/index-stored.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import type { Workspace } from "../../support/make.ts";

/** Adds boards to a workspace, each with a card that has all words. */
export async function fillBoards(
  { db }: App,
  { publicId }: Workspace,
  boards: number,
  words: string[],
): Promise<void> {
  const cards = await db.write<{ id: bigint }>(sql`WITH made AS (
      INSERT INTO boards ("publicId", "workspaceId", name, slug)
      SELECT w.id || 'bound' || n, w.id, 'Board ' || n, w.id || 'bound-' || n
      FROM workspaces w, generate_series(1, ${boards}::int) AS n WHERE w."publicId" = ${publicId}
      RETURNING id, "workspaceId", "publicId"), list AS (
      INSERT INTO lists ("publicId", "workspaceId", "boardId", name, position)
      SELECT "publicId" || 'l', "workspaceId", id, 'List', 1 FROM made RETURNING *)
    INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, position)
    SELECT 'card' || id, "workspaceId", "boardId", id, 1000 + row_number() OVER (),
      ${words.map((word) => `${word}x`).join(" ")}, 1 FROM list RETURNING id`);
  await db.transact((_, query) =>
    indexCards(
      query,
      cards.map(({ id }) => id),
    ),
  );
}
