import { z } from "zod";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import {
  allOf,
  likeOf,
  ranksOf,
  scope,
  type Asked,
  type Form,
  type Similar,
} from "./search-asked.ts";

/** The type of a resource that a search finds. */
export const SearchType = z
  .enum(["board", "card", "comment"])
  .meta({ id: "SearchType", description: "The kind of result." });
export type HitType = z.infer<typeof SearchType>;

/** The search query and its caller. */
export type Search = {
  workspaceId: bigint;
  viewer: Viewer;
  boardPublicId: string | null;
  asked: Asked;
  cardNumber: number | null;
  types: readonly HitType[];
  /** Whether the card `c`, in the list `l` of the workspace `w`, passes the filter. */
  isPassing: Sql | null;
};

/** The number of hits per type that are ranked, and of those that have only similar words. */
const [maxRanked, maxSimilar] = [sql`250`, sql`100`];
/** The most matches of a board that are read, and of its newest rows if it has as many. */
const maxRead = sql`500`;
/** The number of hits per type whose cards are tested, if there is a filter. */
const maxTested = sql`5000`;
/** SQL: the most hits of a type by their words. */
const maxNamed = ({ isPassing }: Search): Sql => (isPassing === null ? maxRanked : maxTested);
/** SQL: the most matches of one board. */
const maxOfBoard = ({ isPassing }: Search): Sql => (isPassing === null ? maxRead : maxTested);

/** SQL: the tokens of the row `s`, as in the index. */
export const tokens = sql`search_tokens(s.type, s."scopeId", s."titleHash", s.words)`;
/** SQL: whether the index has the row `s`. */
export const isIndexed = sql`s."isLive" AND s.type <> 'board'`;

/** SQL: the visible boards, the newest first, and the deleted lists on them. */
export const boards = ({ workspaceId, viewer, boardPublicId }: Omit<Search, "asked">): Sql => sql`
  board AS MATERIALIZED (SELECT b.id FROM boards b
    WHERE b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL AND ${isVisible(viewer)}
      AND (${boardPublicId}::text IS NULL OR b."publicId" = ${boardPublicId})
    ORDER BY b.id DESC),
  deleted_list AS MATERIALIZED (SELECT l.id FROM lists l
    WHERE l."deletedAt" IS NOT NULL AND l."boardId" IN (SELECT id FROM board))`;

// To delete a list is to write one row: its cards stay in the index until they are purged.
const isOnLiveList = sql`c."listId" <> ALL (ARRAY(SELECT id FROM deleted_list))`;
const onLiveLists = (isOn: Sql) => sql`(NOT EXISTS (SELECT FROM deleted_list) OR ${isOn})`;
/** SQL: whether the card or the comment of the row `s` is not on a deleted list. */
export const isLive = {
  card: onLiveLists(sql`(SELECT ${isOnLiveList} FROM cards c WHERE c.id = s.id)`),
  comment: onLiveLists(sql`(SELECT ${isOnLiveList} FROM comments co
    JOIN cards c ON c.id = co."cardId" WHERE co.id = s.id)`),
};

const scoped: Form = { before: scope, weight: "" };
const unscoped: Form = { before: "", weight: "" };
const ofName: Form = { before: "", weight: "A" };

/**
 * SQL: what is asked of a row.
 *
 * OFFSET 0 hides the query from the planner: it would plan each search for its number of words,
 * which takes a third of the time of a search.
 */
export const prepared = ({ asked }: Search): Sql => sql`
  asked AS MATERIALIZED (SELECT "all", query::tsquery AS query, complete::tsquery AS complete,
      named::tsquery AS named, hashtextextended(whole, 0) AS whole
    FROM (SELECT ${allOf(asked, scoped)}::text AS "all", ${allOf(asked, unscoped)}::text AS query,
      ${allOf(asked, ofName, true)}::text AS complete, ${allOf(asked, ofName)}::text AS named,
      ${asked.whole}::text AS whole OFFSET 0) AS given)`;

const score = sql`coalesce(ts_rank('{0.1,0.1,0.1,0.1}', found.words, asked.query), 0)`;
const namedScore = sql`${score} + CASE WHEN found.words @@ asked.complete THEN 1 ELSE 0.8 END`;

/** SQL: the text of a `tsquery` for the tokens of a board with a letter. */
const onBoard = (template: Sql, letter: Sql) =>
  sql`replace(${template}, chr(1), board.id || ${letter})::tsquery`;

/** A search of the boards for rows of a type. */
type Matching = {
  from: Sql;
  type: "card" | "comment";
  /** SQL: what the index is asked, and a row that comes without it. */
  query: Sql;
  plain: Sql;
  rank: Sql;
  limit: Sql;
};

/**
 * SQL: rows of each board with the words, the newest boards first, up to a limit.
 *
 * Each board is one look into the index: of several together, the index would compare each of their
 * rows with the words of all. It has no order, so a board with many matches is read from its newest
 * row too.
 */
const matches = ({ from, type, query, plain, rank, limit }: Matching) => sql`
  SELECT found.id, ${rank} AS rank FROM ${from} CROSS JOIN board CROSS JOIN LATERAL (
    WITH match AS MATERIALIZED (SELECT s.id, s.words FROM search_texts s
      WHERE ${isIndexed} AND ${tokens} @@ ${query} AND ${isLive[type]} LIMIT ${limit})
    (SELECT s.id, s.words FROM (SELECT s.id, s.words FROM search_texts s
        WHERE ${isIndexed} AND s."scopeId" = board.id AND s.type = ${names[type]}
        ORDER BY s.id DESC LIMIT ${maxRead}) AS s
      WHERE (SELECT count(*) FROM match) >= ${maxRead} AND s.words @@ ${plain} AND ${isLive[type]})
    UNION ALL (SELECT id, words FROM match ORDER BY id DESC)) AS found`;
const names = { card: sql`'card'`, comment: sql`'comment'` };

const byWords = (search: Search, type: "card" | "comment", letter: Sql, rank: Sql, plain: Sql) =>
  matches({
    from: sql`asked`,
    type,
    query: onBoard(sql`asked."all"`, letter),
    plain,
    rank,
    limit: maxOfBoard(search),
  });

const byNumber = ({ workspaceId, cardNumber }: Search) =>
  cardNumber === null
    ? sql.empty
    : sql`(SELECT c.id, 10 AS rank FROM cards c
        WHERE c."workspaceId" = ${workspaceId} AND c.number = ${cardNumber}
          AND c."deletedAt" IS NULL AND ${isOnLiveList}
          AND c."boardId" IN (SELECT id FROM board)) UNION ALL`;

const { named, query } = { named: sql`asked.named`, query: sql`asked.query` };

/** SQL: the whole title first, then the words of titles, then those of texts. */
const cards = (search: Search) => sql`${byNumber(search)}
  (${matches({
    from: sql`asked`,
    type: "card",
    query: sql`(board.id || 'e' || asked.whole)::tsquery`,
    // Any of those with the same title.
    plain: sql`''::tsquery`,
    rank: sql`3 + ${score}`,
    limit: maxOfBoard(search),
  })})
  UNION ALL (${byWords(search, "card", sql`'t'`, namedScore, named)})
  UNION ALL (${byWords(search, "card", sql`'c'`, score, query)}) LIMIT ${maxNamed(search)}`;

/** SQL: the words of each visible board. A workspace has few boards: they need no index. */
export const boardWords = sql`board CROSS JOIN LATERAL (SELECT s.id, s.words, s."titleHash"
  FROM search_texts s WHERE s.type = 'board' AND s.id = board.id OFFSET 0) AS found`;

const boardNames = (search: Search) => sql`
  SELECT found.id, CASE WHEN found."titleHash" = asked.whole THEN 3 + ${score}
      WHEN found.words @@ asked.named THEN ${namedScore} ELSE ${score} END AS rank
  FROM asked CROSS JOIN ${boardWords}
  WHERE found.words @@ asked.query OR found."titleHash" = asked.whole LIMIT ${maxNamed(search)}`;

/** SQL: the hits of each type by their words, with their ranks. */
export const namedOf: Record<HitType, (search: Search) => Sql> = {
  board: boardNames,
  card: cards,
  comment: (search) =>
    sql`${byWords(search, "comment", sql`'o'`, score, query)} LIMIT ${maxNamed(search)}`,
};

/** SQL: what names are asked for that have similar words, and how much each word counts. */
export function preparedSimilar({ asked }: Search, similar: readonly Similar[]): Sql {
  const ranks = ranksOf(asked, similar);
  return sql`"like" AS MATERIALIZED (SELECT "all", named::tsquery AS named
      FROM (SELECT ${likeOf(asked, similar, scoped)}::text AS "all",
        ${likeOf(asked, similar, ofName)}::text AS named OFFSET 0) AS given),
    similar_word AS MATERIALIZED (SELECT nth, key::tsquery AS key, similarity
      FROM unnest(${ranks.map(({ nth }) => nth)}::int[], ${ranks.map((rank) => rank.key)}::text[],
        ${ranks.map(({ similarity }) => similarity)}::float8[]) AS given(nth, key, similarity))`;
}

/** SQL: how similar a name is: on average, its most similar words to those of the query. */
const similarity = sql`0.8 * (SELECT avg(best) FROM (SELECT max(similarity) AS best
  FROM similar_word WHERE found.words @@ similar_word.key GROUP BY nth) AS each)`;

/** SQL: the hits by names with similar words, with their ranks. */
export const similarOf: Record<"board" | "card", Sql> = {
  board: sql`SELECT found.id, ${similarity} AS rank FROM "like" CROSS JOIN ${boardWords}
    WHERE found.words @@ "like".named LIMIT ${maxSimilar}`,
  card: sql`${matches({
    from: sql`"like"`,
    type: "card",
    query: onBoard(sql`"like"."all"`, sql`'t'`),
    plain: sql`"like".named`,
    rank: similarity,
    limit: maxSimilar,
  })} LIMIT ${maxSimilar}`,
};

/** SQL: whether the hits of a type are as many as are ranked. */
export const isCapped = (search: Search, type: HitType, hasSimilar: boolean): Sql => {
  const isFull = sql`(SELECT count(*) FROM ${hits(type, "named")}) >= ${maxNamed(search)}`;
  return hasSimilar && type !== "comment"
    ? sql`${isFull} OR (SELECT count(*) FROM ${hits(type, "similar")}) >= ${maxSimilar}`
    : isFull;
};

/** SQL: the name of the hits of a type. */
export const hits = (type: HitType, by: "named" | "similar"): Sql =>
  sql.identifier(`${type}_${by}`);
