import pg from "pg";
import { onTestFinished } from "vitest";
import type { App } from "../support/app.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../src/platform/db/transaction.ts";
import { keepCards } from "../support/kept.ts";

/** One live row of an ordered table: its position, and the transaction that wrote it last. */
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

/** Gives a row another position, as thousands of moves would. */
export const setPosition = async (
  { db }: App,
  table: string,
  publicId: string,
  position: string,
) => {
  await db.write(
    sql`UPDATE ${sql.identifier(table)} SET position = ${position}::numeric WHERE "publicId" = ${publicId}`,
  );
};

/** Gives all cards of a list new positions, as a move does when they have become too long. */
export async function renumber({ db }: App, list: string): Promise<void> {
  const rows = await db.read<{ id: bigint; position: string }>(sql`SELECT c.id, c.position
    FROM cards c JOIN lists l ON l.id = c."listId"
    WHERE l."publicId" = ${list} AND c."deletedAt" IS NULL ORDER BY c.position`);
  const cards = rows.map(({ id }) => id);
  const last = rows.at(-1)?.position ?? "0";
  await db.write(sql`UPDATE cards c SET position = floor(${last}::numeric) + n.nth
    FROM unnest(${cards}::bigint[]) WITH ORDINALITY AS n(id, nth) WHERE c.id = n.id`);
}

/** Makes a short position of a card long, as hundreds of moves would. */
export const lengthenPosition = ({ db }: App, card: string) =>
  db.write(sql`
    UPDATE cards SET position = position + ('0.' || repeat('0', 98) || '1')::numeric
    WHERE "publicId" = ${card} AND scale(position) < 20`);

/** Adds `count` cards at the end of a list; the API would need a call for each. */
export async function fill({ db }: App, list: string, count: number): Promise<void> {
  await db.transact(async (_, query) => {
    await query(allowLongStatements);
    await query(
      sql`WITH l AS (SELECT * FROM lists WHERE "publicId" = ${list}),
       w AS (UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count} WHERE id = (SELECT "workspaceId" FROM l) RETURNING "lastCardNumber")
     INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, position)
     SELECT substr(md5(l.id || '-' || w."lastCardNumber" || '-' || n), 1, 12), l."workspaceId", l."boardId", l.id, w."lastCardNumber" - ${count} + n, 'Card ' || n,
       (SELECT coalesce(floor(max(c.position)), 0) FROM cards c WHERE c."listId" = l.id) + n
     FROM l, w, generate_series(1, ${count}::int) AS n`,
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
  await keepCards({ db });
  await db.write(sql`UPDATE cards SET "dueDate" = '2030-01-31' FROM boards b
    WHERE b."publicId" = ${board} AND "boardId" = b.id AND number % 50 = 0`);
}
