import { generateNKeysBetween } from "fractional-indexing";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { App } from "../support/app.ts";
import { sql } from "../../src/platform/db/sql.ts";

/** One live row of an ordered table: its key, and the transaction that wrote it last. */
export type Row = { publicId: string; position: string; writer: string };

/** The live cards of a list, in order. */
export const cardRows = ({ db }: App, list: string) =>
  db.read<Row>(
    sql`SELECT c."publicId", c.position, c.xmin::text AS writer FROM cards c JOIN lists l ON l.id = c."listId"
     WHERE l."publicId" = ${list} AND c."deletedAt" IS NULL ORDER BY c.position`,
  );

/** Which of the rows have been written since. */
export const written = (before: Row[], after: Row[]): string[] =>
  after
    .filter(
      (row) => !before.some((old) => old.publicId === row.publicId && old.writer === row.writer),
    )
    .map((row) => row.publicId);

/** Gives a row another key, as thousands of moves would. */
export const setKey = async ({ db }: App, table: string, publicId: string, key: string) => {
  await db.write(
    sql`UPDATE ${sql.identifier(table)} SET position = ${key} WHERE "publicId" = ${publicId}`,
  );
};

/** Gives all cards of a list new keys, as a move does when the keys have become too long. */
export async function renumber({ db }: App, list: string): Promise<void> {
  const rows = await db.read<{ id: bigint; position: string }>(sql`SELECT c.id, c.position
    FROM cards c JOIN lists l ON l.id = c."listId"
    WHERE l."publicId" = ${list} AND c."deletedAt" IS NULL ORDER BY c.position`);
  const cards = rows.map(({ id }) => id);
  const keys = generateNKeysBetween(rows.at(-1)?.position ?? null, null, cards.length);
  await db.write(sql`UPDATE cards c SET position = n.position
    FROM unnest(${cards}::bigint[], ${keys}::text[]) AS n(id, position) WHERE c.id = n.id`);
}

/** Makes a short key of a card long, as thousands of moves would. */
export const lengthenKey = ({ db }: App, card: string) =>
  db.write(sql`
    UPDATE cards SET position = position || repeat('z', 38)
    WHERE "publicId" = ${card} AND length(position) < 20`);

/** Adds `count` cards at the end of a list; the API would need a call for each. */
export async function fill({ db }: App, list: string, count: number): Promise<void> {
  const [last] = await db.read<{ position: string | null }>(
    sql`SELECT max(c.position) AS position FROM cards c JOIN lists l ON l.id = c."listId" WHERE l."publicId" = ${list}`,
  );
  await db.transact(async (_, query) => {
    await query(sql`SET LOCAL statement_timeout = 0`);
    await query(
      sql`WITH l AS (SELECT * FROM lists WHERE "publicId" = ${list}),
       w AS (UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count} WHERE id = (SELECT "workspaceId" FROM l) RETURNING "lastCardNumber")
     INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, position)
     SELECT substr(md5(l.id || '-' || w."lastCardNumber" || '-' || n), 1, 12), l."workspaceId", l."boardId", l.id, w."lastCardNumber" - ${count} + n, 'Card ' || n, key
     FROM l, w, unnest(${generateNKeysBetween(last?.position ?? null, null, count)}::text[]) WITH ORDINALITY AS keys(key, n)`,
    );
  });
}

/** A connection of the test's own, to hold locks with. */
export async function connection({ url }: App): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Resolves when a statement waits for a lock in this database. */
export async function waiting({ db }: App): Promise<void> {
  for (;;) {
    const rows = await db.read(
      sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}

/** Gives each 50th card of a board the board's labels and a due date. */
export async function markSomeCards({ db }: App, board: string): Promise<void> {
  await db.write(sql`INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
    SELECT c.id, la.id, c."workspaceId" FROM boards b JOIN cards c ON c."boardId" = b.id
      JOIN labels la ON la."boardId" = b.id
    WHERE b."publicId" = ${board} AND c.number % 50 = 0`);
  await db.write(sql`UPDATE cards SET "dueDate" = '2030-01-31' FROM boards b
    WHERE b."publicId" = ${board} AND "boardId" = b.id AND number % 50 = 0`);
}
