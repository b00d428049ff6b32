import { visibleBoard } from "../../kernel/access/visibility.ts";

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
};

/** The number of hits per type that are ranked, for common words. */
const maxPerType = 1_000;

const tsQuery = `CASE WHEN $5 = '' THEN NULL ELSE to_tsquery('simple', $5) END`;
const onBoard = `b."workspaceId" = $1 AND b."deletedAt" IS NULL 
  AND ${visibleBoard(2)} AND ($9::text IS NULL OR b."publicId" = $9)`;
const boardWords = `to_tsvector('simple', b.name || ' ' || coalesce(b.description, ''))`;
const cardWords = (card: string) =>
  `to_tsvector('simple', ${card}.title || ' ' || left(coalesce(${card}.description, ''), 100000))`;
const commentWords = `to_tsvector('simple', left(co.comment, 20000))`;
const board = `b."publicId" AS "boardPublicId", b.name AS "boardName"`;
const number = `w."cardPrefix" || '-' || c.number`;
const cards = `cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = c."boardId" JOIN workspaces w ON w.id = c."workspaceId"`;
const liveCard = `c."workspaceId" = $1 AND c."deletedAt" IS NULL AND ${onBoard}`;
// Each branch uses its own index. A single condition with OR would not.
const foundCards = `SELECT k.id FROM cards k WHERE k."workspaceId" = $1 AND k.number = $7
  UNION SELECT k.id FROM cards k WHERE k."workspaceId" = $1 AND k."deletedAt" IS NULL
    AND ${cardWords("k")} @@ ${tsQuery}
  UNION SELECT mistyped_cards($1, $6)`;
// The condition of `mistyped_cards`, for board names.
const unlike = `SELECT FROM regexp_split_to_table($6, '\\s+') AS word
  WHERE word_similarity(word, lower(b.name)) < 0.45`;
const rank = (vector: string, name: string) =>
  `coalesce(ts_rank(${vector}, ${tsQuery}), 0)
  + greatest(similarity(lower(${name}), $6), word_similarity($6, lower(${name})))`;

/**
 * Values: workspace, the three of `visibleBoard`, the tsquery's text, the query in lower case,
 * a card number or null, the types, a board or null, rank and key of the last hit or nulls, limit.
 */
export const searchStatement = `SELECT type, "publicId", title, excerpt, "cardNumber",
    "cardPublicId", "boardPublicId", "boardName", ARRAY[rank::text, key] AS keys
  FROM (
    (SELECT 'board' AS type, b."publicId", b.name AS title,
      left(coalesce(b.description, ''), 200) AS excerpt, NULL AS "cardNumber",
      NULL AS "cardPublicId", ${board}, (1 + ${rank(boardWords, "b.name")})::numeric AS rank,
      'b' || b.id AS key
     FROM boards b WHERE 'board' = ANY($8::text[]) AND ${onBoard}
       AND (${boardWords} @@ ${tsQuery} OR NOT EXISTS (${unlike})) LIMIT ${maxPerType})
    UNION ALL
    (SELECT 'card', c."publicId", c.title, left(coalesce(c.description, ''), 200), ${number},
      c."publicId", ${board},
      (CASE WHEN c.number = $7 THEN 10 ELSE 0 END + ${rank(cardWords("c"), "c.title")})::numeric,
      'c' || c.id
     FROM ${cards} WHERE 'card' = ANY($8::text[]) AND ${liveCard}
       AND c.id IN (${foundCards}) LIMIT ${maxPerType})
    UNION ALL
    (SELECT 'comment', co."publicId", c.title, left(co.comment, 200), ${number}, c."publicId", ${board},
      (ts_rank(${commentWords}, ${tsQuery}))::numeric, 'o' || co.id
     FROM comments co JOIN ${cards.replace("cards c", `cards c ON c.id = co."cardId"`)}
     WHERE 'comment' = ANY($8::text[])
       AND co."workspaceId" = $1 AND co."deletedAt" IS NULL AND ${liveCard}
       AND ${commentWords} @@ ${tsQuery} LIMIT ${maxPerType})
  ) hits
  WHERE $10::numeric IS NULL OR (rank, key) < ($10::numeric, $11)
  ORDER BY rank DESC, key DESC LIMIT $12`;

/** A board that the caller may see. Values: workspace, the three of `visibleBoard`, public id. */
export const boardStatement = `SELECT b.id FROM boards b
  WHERE b."workspaceId" = $1 AND b."deletedAt" IS NULL AND ${visibleBoard(2)}
    AND b."publicId" = $5`;
