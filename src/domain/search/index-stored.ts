import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { groupBy } from "../../platform/maps.ts";
import { indexTexts, textOfBoard, textOfCard, type SearchedText } from "./index-texts.ts";

/** The most texts in memory: each may have a hundred kilobytes. */
const perStep = 200;

/** SQL: the texts of live comments, with the board and the life of their card. */
const textsOfComments = (isComment: Sql) => sql`SELECT co.id, c."boardId", co."workspaceId",
    co.comment AS text, c."deletedAt" IS NULL AS "isLive"
  FROM comments co JOIN cards c ON c.id = co."cardId"
  WHERE co."deletedAt" IS NULL AND ${isComment}`;

type Card = Parameters<typeof textOfCard>[0] & { workspaceId: bigint };
type Comment = Pick<SearchedText, "id" | "boardId" | "text" | "isLive"> & { workspaceId: bigint };

type Board = Parameters<typeof textOfBoard>[0] & { workspaceId: bigint };

/** Stores the words of boards as they are in the database. */
export const indexBoards = (query: Query, ids: readonly bigint[]): Promise<void> =>
  inSteps(ids, async (some) => {
    const boards = await query<Board>(sql`SELECT id, "workspaceId", name, description FROM boards
      WHERE id = ANY(${some}::bigint[]) ORDER BY id`);
    indexEach(query, boards, textOfBoard);
  });

/** Stores the words of cards as they are in the database, such as copies. */
export const indexCards = (query: Query, ids: readonly bigint[]): Promise<void> =>
  inSteps(ids, async (some) => {
    const cards = await query<Card>(sql`SELECT id, "workspaceId", "boardId", title, description,
        "deletedAt" FROM cards WHERE id = ANY(${some}::bigint[]) ORDER BY id`);
    indexEach(query, cards, textOfCard);
  });

/**
 * Stores the words of copies of cards: those of their sources, where these have not changed since.
 *
 * Both are cards of one workspace, whose words of names are known.
 */
export async function indexCopies(
  query: Query,
  copies: readonly { id: bigint; source: bigint }[],
): Promise<void> {
  if (copies.length === 0) return;
  const ids = copies.map(({ id }) => id);
  const stored = await query<{ id: bigint }>(sql`
    INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    SELECT 'card', c.id, c."boardId", s."titleHash", s.words
    FROM unnest(${ids}::bigint[], ${copies.map(({ source }) => source)}::bigint[])
        AS copy(id, source)
      JOIN cards c ON c.id = copy.id JOIN cards o ON o.id = copy.source AND o.title = c.title
        AND o.description IS NOT DISTINCT FROM c.description
      JOIN search_texts s ON s.type = 'card' AND s.id = o.id
    RETURNING id`);
  const found = new Set(stored.map(({ id }) => id));
  await indexCards(
    query,
    ids.filter((id) => !found.has(id)),
  );
}

/** Stores the words of comments as they are in the database. */
export const indexComments = (query: Query, ids: readonly bigint[]): Promise<void> =>
  inSteps(ids, async (some) => {
    const isComment = sql`co.id = ANY(${some}::bigint[]) ORDER BY co.id`;
    const comments = await query<Comment>(textsOfComments(isComment));
    indexEach(query, comments, (comment) => ({ ...comment, type: "comment", name: null }));
  });

/** Stores the words of rows, which may be of several workspaces. */
function indexEach<Row extends { workspaceId: bigint }>(
  query: Query,
  rows: Row[],
  textOf: (row: Row) => SearchedText,
): void {
  for (const [workspaceId, some] of groupBy(rows, (row) => row.workspaceId))
    indexTexts(query, { workspaceId }, some.map(textOf));
}

async function inSteps(ids: readonly bigint[], step: (ids: bigint[]) => Promise<void>) {
  for (let start = 0; start < ids.length; start += perStep)
    await step(ids.slice(start, start + perStep));
}
