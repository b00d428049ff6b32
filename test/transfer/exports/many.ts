import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import { indexCards, indexComments } from "../../../src/domain/search/index-stored.ts";
import type { App } from "../../support/app.ts";
import { keepCards } from "../../support/kept.ts";

/** How many resources a list gets; those other than cards count per card. */
export type Amounts = { cards: number; comments?: number; items?: number; events?: number };

const newId = (from: Sql) => sql`substr(md5(${from} || random()::text), 1, 12)`;

/** Adds cards to a list with comments, checklist items and history, faster than the API could. */
export async function fill(
  { db }: Pick<App, "db">,
  listPublicId: string,
  { cards, comments = 0, items = 0, events = 0 }: Amounts,
): Promise<void> {
  const cardsOfList = sql`made AS (
    SELECT c.id, c."publicId", c."workspaceId", b."publicId" AS board
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = l."boardId"
      JOIN workspaces w ON w.id = c."workspaceId"
    WHERE l."publicId" = ${listPublicId} AND c.number > w."lastCardNumber" - ${cards}::int)`;
  // Thousands of rows may take longer than a call may.
  const write = (statement: Sql) =>
    db.transact(async (_, query) => {
      await query(allowLongStatements);
      await query(statement);
    });
  await write(sql`
    WITH list AS (SELECT * FROM lists WHERE "publicId" = ${listPublicId}), counted AS (
      UPDATE workspaces w SET "lastCardNumber" = w."lastCardNumber" + ${cards}::int FROM list
      WHERE w.id = list."workspaceId" RETURNING w."lastCardNumber" - ${cards}::int AS before
    ), placed AS MATERIALIZED (
      SELECT coalesce(max(position), 0) AS last FROM cards WHERE "listId" = (SELECT id FROM list)
    )
    INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, description,
      position)
    SELECT ${newId(sql`n::text`)}, list."workspaceId", list."boardId", list.id,
      counted.before + n::int, 'Card ' || n, repeat('What has to be done. ', 10),
      placed.last + n
    FROM list, counted, placed, generate_series(1, ${cards}::int) AS n`);
  await write(sql`
    WITH ${cardsOfList}
    INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "authorName")
    SELECT ${newId(sql`n::text`)}, "workspaceId", id, 'Comment ' || n, 'An author'
    FROM made, generate_series(1, ${comments}::int) AS n`);
  await db.transact(async (_, query) => {
    await query(allowLongStatements);
    const ids = async (from: Sql) =>
      (await query<{ id: bigint }>(sql`WITH ${cardsOfList} SELECT ${from}`)).map(({ id }) => id);
    await indexCards(query, await ids(sql`id FROM made`));
    const isOnThem = sql`co.id FROM comments co JOIN made ON made.id = co."cardId"`;
    await indexComments(query, await ids(isOnThem));
  });
  await write(sql`
    WITH ${cardsOfList}, lists AS (
      INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position)
      SELECT ${newId(sql`id::text`)}, "workspaceId", id, 'Steps', 1 FROM made
      WHERE ${items}::int > 0 RETURNING id, "workspaceId"
    )
    INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position)
    SELECT ${newId(sql`n::text`)}, "workspaceId", id, 'Step ' || n, n
    FROM lists, generate_series(1, ${items}::int) AS n`);
  if (comments + items > 0)
    await keepCards(
      { db },
      sql`c."listId" = (SELECT id FROM lists WHERE "publicId" = ${listPublicId})`,
    );
  await write(sql`
    WITH ${cardsOfList}, counter AS (UPDATE logs l
      SET last = last + ${events}::bigint * (SELECT count(*) FROM made)
      WHERE l."workspaceId" = (SELECT "workspaceId" FROM made LIMIT 1) RETURNING last)
    INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type,
      "isActivity", "actorType", "actorName", data, number)
    SELECT ${newId(sql`n::text`)}, "workspaceId", board, "publicId", 'card.updated', true, 'user',
      'An author',
      jsonb_build_object('card', jsonb_build_object('publicId', "publicId", 'title', 'Was ' || n)),
      counter.last - row_number() OVER () + 1
    FROM counter, made, generate_series(1, ${events}::int) AS n`);
}
