import { generateNKeysBetween } from "fractional-indexing";
import type { App } from "../../support/app.ts";

/** How much of everything there is to be on a list. */
export type Much = { cards: number; comments?: number; items?: number; events?: number };

/** Puts so many cards on a list, each with comments, checklist items and history, faster than the API could. */
export async function fill(
  { db }: Pick<App, "db">,
  listPublicId: string,
  { cards, comments = 0, items = 0, events = 0 }: Much,
): Promise<void> {
  const id = (what: string) => `substr(md5(${what} || random()::text), 1, 12)`;
  const made = `made AS (SELECT c.id, c."publicId", c."workspaceId", b."publicId" AS board FROM cards c
    JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = l."boardId" WHERE l."publicId" = $1)`;
  const run = (sql: string, ...values: unknown[]) => db.write(sql, [listPublicId, ...values]);
  await run(
    `WITH list AS (SELECT * FROM lists WHERE "publicId" = $1),
       counted AS (UPDATE workspaces w SET "lastCardNumber" = w."lastCardNumber" + $2::int FROM list
         WHERE w.id = list."workspaceId" RETURNING w."lastCardNumber" - $2::int AS before)
     INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, description, position)
     SELECT ${id("n::text")}, list."workspaceId", list."boardId", list.id, counted.before + n::int, 'Card ' || n,
       repeat('What has to be done. ', 10), keys.position
     FROM list, counted, unnest($3::text[]) WITH ORDINALITY AS keys(position, n)`,
    cards,
    generateNKeysBetween(null, null, cards),
  );
  await run(
    `WITH ${made} INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "authorName")
     SELECT ${id("n::text")}, "workspaceId", id, 'Comment ' || n, 'An author' FROM made, generate_series(1, $2::int) AS n`,
    comments,
  );
  await run(
    `WITH ${made}, lists AS (INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position)
       SELECT ${id("id::text")}, "workspaceId", id, 'Steps', 'a1' FROM made WHERE $2::int > 0 RETURNING id, "workspaceId")
     INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position)
     SELECT ${id("n::text")}, "workspaceId", id, 'Step ' || n, 'a' || n FROM lists, generate_series(1, $2::int) AS n`,
    items,
  );
  await run(
    `WITH ${made} INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity", "actorType", "actorName", data)
     SELECT ${id("n::text")}, "workspaceId", board, "publicId", 'card.updated', true, 'user', 'An author',
       jsonb_build_object('card', jsonb_build_object('publicId', "publicId", 'title', 'Was ' || n))
     FROM made, generate_series(1, $2::int) AS n`,
    events,
  );
}
