import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** A row of the search result with its sort keys. */
export type Hit = {
  type: "board" | "card" | "comment";
  publicId: string;
  title: string;
  excerpt: string;
  cardNumber: string | null;
  cardPublicId: string | null;
  boardPublicId: string;
  boardName: string;
  keys: string[];
  /** Whether more hits of a type match than are ranked. */
  isCapped: boolean;
};

/** The search query and its caller. */
export type Search = {
  workspaceId: bigint;
  viewer: Viewer;
  boardPublicId: string | null;
  /** The text of a tsquery; empty when the phrase has no words. */
  words: string;
  /** The phrase in lower case. */
  phrase: string;
  cardNumber: number | null;
  types: string[];
  after: { rank: string | null; key: string | null };
  limit: number;
};

/** The number of hits per type that are ranked. */
const maxPerType = sql`1000`;

const isCapped = sql.join(
  [sql`board`, sql`card`, sql`comment`].map(
    (type) => sql`count(*) FILTER (WHERE type = '${type}') OVER () >= ${maxPerType}`,
  ),
  sql` OR `,
);

const boardWords = sql`to_tsvector('simple', b.name || ' ' || coalesce(b.description, ''))`;
const cardWords = (card: Sql) =>
  sql`to_tsvector('simple', ${card}.title || ' ' || left(coalesce(${card}.description, ''),
    100000))`;
const commentWords = sql`to_tsvector('simple', left(co.comment, 20000))`;
const board = sql`b."publicId" AS "boardPublicId", b.name AS "boardName"`;
const number = sql`w."cardPrefix" || '-' || c.number`;
const cards = sql`JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = c."boardId" JOIN workspaces w ON w.id = c."workspaceId"`;

const tsquery = ({ words }: Search) =>
  sql`CASE WHEN ${words} = '' THEN NULL ELSE to_tsquery('simple', ${words}) END`;

const onBoard = ({ workspaceId, viewer, boardPublicId }: Search) =>
  sql`b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL AND ${isVisible(viewer)}
    AND (${boardPublicId}::text IS NULL OR b."publicId" = ${boardPublicId})`;

const liveCard = (search: Search) =>
  sql`c."workspaceId" = ${search.workspaceId} AND c."deletedAt" IS NULL AND ${onBoard(search)}`;

const rank = (search: Search, vector: Sql, name: Sql) =>
  sql`CASE WHEN lower(${name}) = ${search.phrase} THEN 2 ELSE 0 END
    + coalesce(ts_rank(${vector}, ${tsquery(search)}), 0)
    + greatest(similarity(lower(${name}), ${search.phrase}),
      word_similarity(${search.phrase}, lower(${name})))`;

// Boards are few: the comparison that `mistyped_cards` makes needs no index here.
const boardHits = (search: Search) =>
  sql`SELECT 'board' AS type, b."publicId", b.name AS title,
    left(coalesce(b.description, ''), 200) AS excerpt, NULL AS "cardNumber",
    NULL AS "cardPublicId", ${board},
    (1 + ${rank(search, boardWords, sql`b.name`)})::numeric AS rank, 'b' || b.id AS key
  FROM boards b WHERE 'board' = ANY(${search.types}::text[]) AND ${onBoard(search)}
    AND (${boardWords} @@ ${tsquery(search)} OR NOT EXISTS (
      SELECT FROM regexp_split_to_table(${search.phrase}, '\\s+') AS word
      WHERE word_similarity(word, lower(b.name)) < 0.45))
  ORDER BY lower(b.name) = ${search.phrase} DESC LIMIT ${maxPerType}`;

// A UNION, since one condition with OR would use no index.
const cardHits = (search: Search) =>
  sql`SELECT 'card', c."publicId", c.title, left(coalesce(c.description, ''), 200),
    ${number}, c."publicId", ${board}, (CASE WHEN c.number = ${search.cardNumber} THEN 10 ELSE 0 END
      + ${rank(search, cardWords(sql`c`), sql`c.title`)})::numeric, 'c' || c.id
  FROM cards c ${cards} WHERE 'card' = ANY(${search.types}::text[]) AND ${liveCard(search)}
    AND c.id IN (
      SELECT k.id FROM cards k
      WHERE k."workspaceId" = ${search.workspaceId} AND k.number = ${search.cardNumber}
      UNION SELECT k.id FROM cards k
      WHERE k."workspaceId" = ${search.workspaceId} AND k."deletedAt" IS NULL
        AND ${cardWords(sql`k`)} @@ ${tsquery(search)}
      UNION SELECT mistyped_cards(${search.workspaceId}, ${search.phrase}))
  ORDER BY c.number IS NOT DISTINCT FROM ${search.cardNumber} DESC,
    lower(c.title) = ${search.phrase} DESC LIMIT ${maxPerType}`;

const commentHits = (search: Search) =>
  sql`SELECT 'comment', co."publicId", c.title, left(co.comment, 200), ${number},
    c."publicId", ${board}, (ts_rank(${commentWords}, ${tsquery(search)}))::numeric, 'o' || co.id
  FROM comments co JOIN cards c ON c.id = co."cardId" ${cards}
  WHERE 'comment' = ANY(${search.types}::text[]) AND co."workspaceId" = ${search.workspaceId}
    AND co."deletedAt" IS NULL AND ${liveCard(search)} AND ${commentWords} @@ ${tsquery(search)}
  ORDER BY co.id DESC LIMIT ${maxPerType}`;

/** Searches boards, cards and comments, best first. */
export const searchStatement = (search: Search): Sql =>
  sql`SELECT type, "publicId", title, excerpt, "cardNumber", "cardPublicId", "boardPublicId",
    "boardName", ARRAY[rank::text, key] AS keys, "isCapped"
  FROM (SELECT *, ${isCapped} AS "isCapped" FROM ((${boardHits(search)})
    UNION ALL (${cardHits(search)}) UNION ALL (${commentHits(search)})) found) hits
  WHERE ${search.after.rank}::numeric IS NULL
    OR (rank, key) < (${search.after.rank}::numeric, ${search.after.key})
  ORDER BY rank DESC, key DESC LIMIT ${search.limit}`;

/** Finds the board that a search is limited to. */
export const boardStatement = (workspaceId: bigint, viewer: Viewer, publicId: string): Sql =>
  sql`SELECT b.id FROM boards b WHERE b."workspaceId" = ${workspaceId}
    AND b."deletedAt" IS NULL AND ${isVisible(viewer)} AND b."publicId" = ${publicId}`;
