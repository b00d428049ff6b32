import { nextNumbers } from "../../src/kernel/events/log-sql.ts";
import type { Query } from "../../src/platform/db/query.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";
import { keepCards } from "./kept.ts";

type Db = Pick<App, "db">;

type Client = { query(text: string, values: unknown[]): Promise<{ rows: any[] }> };

/** Statements on a connection or a pool of the test's own. */
export const queryOn =
  (client: Client): Query =>
  async ({ text, values }) =>
    (await client.query(text, [...values])).rows;

/** What the inserted events share. */
export type InsertedEvents = {
  type?: string;
  /** The length of a text in the data of each event. */
  length?: number;
  createdAt?: Date;
  /** Whether they are history of an imported workspace. */
  isImported?: boolean;
};

/** The role of inserted events, which are `role.deleted` unless a test names another type. */
const deletedRole = {
  publicId: "deletedrole1",
  name: "Deleted",
  description: null,
  hierarchyLevel: 1,
  isSystem: false,
  permissions: [],
  version: 1,
};

/**
 * Inserts events of a workspace in one transaction and returns their public ids.
 *
 * An operation publishes a few events; logs of thousands, and imported history, need this function.
 */
export async function insertEvents(
  write: Query,
  workspacePublicId: string,
  count: number,
  { type = "role.deleted", length = 0, createdAt, isImported = false }: InsertedEvents = {},
): Promise<string[]> {
  const actor = isImported ? "import" : "system";
  const taken = sql`SELECT id, ${isImported ? 0 : count}::bigint FROM workspaces
    WHERE "publicId" = ${workspacePublicId}`;
  const rows = await write<{ publicId: string }>(sql`
    WITH counter AS (${nextNumbers("workspace", taken)})
    INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName", data,
      "createdAt", number)
    SELECT substr(md5(random()::text), 1, 12), w.id, ${type}::text,
      ${actor}::"ActorType", ${actor}::text,
      CASE WHEN ${length}::int = 0 THEN ${JSON.stringify({ role: deletedRole })}::jsonb
        ELSE jsonb_build_object('text', repeat('x', ${length}::int)) END,
      coalesce(${createdAt ?? null}::timestamptz, now()),
      CASE WHEN NOT ${isImported} THEN counter.last - ${count}::bigint + nth END
    FROM workspaces w JOIN counter ON counter."workspaceId" = w.id,
      generate_series(1, ${count}::int) nth ORDER BY nth
    RETURNING "publicId"`);
  return rows.map(({ publicId }) => publicId);
}

/** The transactions that wrote some events, each once. */
export async function transactionsOf({ db }: Pick<App, "db">, events: { publicId: string }[]) {
  const ids = events.map(({ publicId }) => publicId);
  const rows = await db.read<{ xmin: string }>(sql`
    SELECT DISTINCT xmin::text AS xmin FROM events WHERE "publicId" = ANY (${ids}::text[])`);
  return rows.map(({ xmin }) => xmin);
}

/** Takes a board from everybody's favourites, without the events of the API. */
export const forgetFavourites = ({ db }: Db, boardPublicId: string) =>
  db.write(sql`DELETE FROM board_favourites
    WHERE "boardId" = (SELECT id FROM boards WHERE "publicId" = ${boardPublicId})`);

/** Deletes the private views of a workspace, which each member may have 50 of. */
export const forgetPrivateViews = ({ db }: Db, workspaceId: bigint) =>
  db.write(sql`DELETE FROM views WHERE "workspaceId" = ${workspaceId} AND "ownerId" IS NOT NULL`);

/** Deletes a row at a time, or restores it, where the API refuses because a parent is deleted. */
export const setDeleted = ({ db }: Db, table: string, publicId: string, deletedAt: Date | null) =>
  db.write(sql`
    UPDATE ${sql.identifier(table)} SET "deletedAt" = ${deletedAt}::timestamptz
    WHERE "publicId" = ${publicId}`);

/** Inserts comments without a user, in order; only imports create such comments. */
export async function insertComments(
  { db, deps }: App,
  card: string,
  texts: string[],
  author: string,
): Promise<void> {
  await db.write(sql`
    INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "authorName", "createdAt")
    SELECT substr(md5(random()::text), 1, 12), c."workspaceId", c.id, text, ${author}::text,
      ${deps.clock()}::timestamptz
    FROM cards c, unnest(${texts}::text[]) WITH ORDINALITY AS t(text, n)
    WHERE c."publicId" = ${card} ORDER BY n`);
  await keepCards({ db }, sql`c."publicId" = ${card}`);
}

/** Attaches a link to a card and returns its public id; only imports create links. */
export async function insertLink(
  { db }: Db,
  card: string,
  url = "https://example.com",
  filename = "A page",
): Promise<string> {
  const [row] = await db.write<{ publicId: string }>(sql`
    INSERT INTO attachments ("publicId", "workspaceId", "cardId", kind, status, filename,
      "contentType", url)
    SELECT substr(md5(random()::text), 1, 12), "workspaceId", id, 'link', 'stored',
      ${filename}::text, 'text/html', ${url}::text FROM cards WHERE "publicId" = ${card}
    RETURNING "publicId"`);
  await keepCards({ db }, sql`c."publicId" = ${card}`);
  return row?.publicId ?? "";
}

/** Adds labels to a card's board and to the card; the API adds a hundred at a time. */
export async function insertLabels({ db }: Db, card: string, count: number): Promise<void> {
  await db.write(sql`
    WITH card AS (SELECT * FROM cards WHERE "publicId" = ${card}), made AS (
      INSERT INTO labels ("publicId", "workspaceId", "boardId", name, "colourCode")
      SELECT substr(md5(random()::text), 1, 12), card."workspaceId", card."boardId",
        'Label ' || n, '#112233' FROM card, generate_series(1, ${count}::int) AS n
      RETURNING id
    )
    INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
    SELECT card.id, made.id, card."workspaceId" FROM card, made`);
  await keepCards({ db }, sql`c."publicId" = ${card}`);
}
