import { z } from "zod";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

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
  phrase: string;
  cardNumber: number | null;
  types: readonly HitType[];
  /** Whether the card `c`, in the list `l` of the workspace `w`, passes the filter. */
  isPassing: Sql | null;
};

/** The number of hits per type that are ranked, and of those that have only similar words. */
export const [maxPerType, maxSimilar] = [sql`1000`, sql`100`];
/** The number of hits per type whose cards are tested, if there is a filter. */
const maxTested = sql`5000`;
/** SQL: the most hits of a type by their words. */
export const maxNamed = ({ isPassing }: Search): Sql =>
  isPassing === null ? maxPerType : maxTested;
/** Similar words are searched when fewer names than this have the words themselves. */
const enough = sql`50`;
/** The most words of a query, the most of their parts, and the most words that may be mistyped. */
const [maxWords, maxUnits, maxMistyped] = [sql`12`, sql`24`, sql`4`];
/** The most similar words of one word. */
const maxSimilarWords = sql`12`;
/** A workspace with more boards is searched in this many parts. */
const maxParts = sql`50`;
/** The placeholder of a scope in a query: a character that words do not have. */
const scope = sql`chr(1)`;

/** SQL: the tokens of the row `s`, as in the index. */
export const tokens = sql`search_tokens(s.type, s."scopeId", s."titleHash", s.words)`;

const visibleBoards = ({ workspaceId, viewer, boardPublicId }: Search) =>
  sql`SELECT b.id FROM boards b WHERE b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL
    AND ${isVisible(viewer)}
    AND (${boardPublicId}::text IS NULL
      OR b."publicId" = ${boardPublicId})`;

// A sub-select, since a join could be planned as a scan of all cards.
const liveCard = sql`c."deletedAt" IS NULL
  AND c."listId" <> ALL (ARRAY(SELECT id FROM deleted_list))`;
const isLiveCard = (id: Sql) => sql`(SELECT ${liveCard} FROM cards c WHERE c.id = ${id})`;

/** The letters of the tokens of a whole name, of the words of names and of all words. */
type Letters = { whole: Sql; named: Sql; all: Sql };
type Source = { letters: Letters; isFound: Sql };

/** What is found by its name: a row of a visible board, unless it is deleted. */
const sourceOf: Record<"board" | "card", Source> = {
  board: { letters: { whole: sql`'x'`, named: sql`'n'`, all: sql`'b'` }, isFound: sql`true` },
  card: {
    letters: { whole: sql`'e'`, named: sql`'t'`, all: sql`'c'` },
    isFound: sql`s.type = 'card' AND ${isLiveCard(sql`s.id`)}`,
  },
};

/** SQL: whether the caller finds a name with the word of the row `w`, on `w."boardIds"`. */
const hasName = ({ letters, isFound }: Source) => sql`EXISTS (SELECT FROM search_texts s
    WHERE ${tokens} @@ (SELECT string_agg(search_key(id || ${letters.named} || word), ' | ')::tsquery
      FROM unnest("boardIds") AS id) AND ${isFound})`;

/**
 * SQL: the words of names that are like the word of `run`, the most similar first. A word counts
 * only if the caller finds a name that has it: no hidden word replaces it.
 */
const similarWords = (search: Search) => {
  const nameConditions = search.types.flatMap((type) =>
    type === "comment" ? [] : hasName(sourceOf[type]),
  );
  if (nameConditions.length === 0) return sql`SELECT NULL::text AS word WHERE false`;
  return sql`SELECT word FROM (SELECT * FROM
      similar_words(ARRAY(SELECT id FROM board), run.run) OFFSET 0) AS w
    WHERE run.mistyped <= ${maxMistyped} AND (${sql.join(nameConditions, sql` OR `)})
    LIMIT ${maxSimilarWords}`;
};

/**
 * SQL: the words, what they ask of a row, and the boards in parts, the newest first.
 *
 * A part is one look into the index. The search ends at the part with enough hits.
 *
 * OFFSET 0 hides the phrase from the planner: it would plan each search for its number of words,
 * which takes a third of the time of a search.
 */
export const prepared = (search: Search): Sql => sql`
  run AS MATERIALIZED (SELECT run, nth, nth = max(nth) OVER () AS "isLast",
      CASE WHEN length(run) > 2 THEN row_number() OVER (PARTITION BY length(run) > 2 ORDER BY nth)
        END AS mistyped
    FROM (SELECT run, min(nth) AS nth
      FROM (SELECT ${search.phrase}::text AS phrase OFFSET 0) AS given
        CROSS JOIN unnest(search_runs(search_fold(given.phrase))) WITH ORDINALITY AS runs(run, nth)
      GROUP BY run ORDER BY nth LIMIT ${maxWords}) AS runs),
  unit AS MATERIALIZED (SELECT nth, search_key(unit) AS key,
      search_key(${scope} || unit) AS scoped, size,
      CASE WHEN "isLast" AND size = 0 THEN ':*' ELSE '' END AS prefix
    FROM run, search_units(run)
    WHERE size <> 1 OR length(run) = 1 ORDER BY nth LIMIT ${maxUnits}),
  asked AS MATERIALIZED (SELECT
    string_agg(scoped || prefix, ' & ') AS "all",
    string_agg(key || ':A', ' & ')::tsquery AS complete,
    string_agg(key || prefix, ' & ')::tsquery AS query,
    title_hash(${search.phrase})::text AS whole
    FROM unit),
  board AS MATERIALIZED (${visibleBoards(search)}),
  deleted_list AS MATERIALIZED (SELECT l.id FROM lists l
    WHERE l."deletedAt" IS NOT NULL AND l."boardId" IN (SELECT id FROM board)),
  part AS MATERIALIZED (SELECT part, array_agg(id) AS ids
    FROM (SELECT id, ntile(${maxParts}) OVER (ORDER BY id DESC) AS part FROM board) AS boards
    GROUP BY part ORDER BY part),
  "like" AS MATERIALIZED (SELECT string_agg('(' || words || ')', ' & ') AS words FROM (
    SELECT concat_ws(' | ',
      (SELECT '(' || string_agg(scoped || CASE WHEN size = 0 AND (run.mistyped > 0 OR run."isLast")
          THEN ':*' ELSE '' END, ' & ') || ')'
        FROM unit WHERE unit.nth = run.nth),
      (SELECT string_agg(search_key(${scope} || word), ' | ')
        FROM (${similarWords(search)}) AS similar_word)) AS words
    FROM run WHERE nth IN (SELECT nth FROM unit) OFFSET 0) AS each)`;

/** SQL: a template for each scope of a part, with the letter of its tokens. */
const inPart = (template: Sql, letter: Sql) =>
  sql`(SELECT string_agg('(' || replace(${template}, ${scope}, id || ${letter}) || ')', ' | ')
    FROM unnest(part.ids) AS id)::tsquery`;
const wholeInPart = (letter: Sql) =>
  sql`(SELECT string_agg(search_key(id || ${letter} || asked.whole), ' | ')
    FROM unnest(part.ids) AS id)::tsquery`;

const score = sql`coalesce(ts_rank('{0.1,0.1,0.1,0.1}', s.words, asked.query), 0)`;
const namedScore = sql`${score} + CASE WHEN s.words @@ asked.complete THEN 1 ELSE 0.8 END`;

const isFoundComment = sql`(SELECT co."deletedAt" IS NULL AND ${isLiveCard(sql`co."cardId"`)}
  FROM comments co WHERE co.id = s.id)`;

const matches = (matching: Sql, rank: Sql, condition: Sql) => sql`
  SELECT found.id, found.rank FROM asked CROSS JOIN part CROSS JOIN LATERAL (
    SELECT s.id, ${rank} AS rank FROM search_texts s
    WHERE ${tokens} @@ ${matching} AND ${condition} OFFSET 0) AS found`;

const byName = ({ letters, isFound }: Source, search: Search, first = sql.empty) => {
  return sql`SELECT id, max(rank) AS rank FROM (${first}
      (${matches(wholeInPart(letters.whole), sql`3 + ${score}`, isFound)})
      UNION ALL (${matches(inPart(sql`asked.all`, letters.named), namedScore, isFound)})
      UNION ALL (${matches(inPart(sql`asked.all`, letters.all), score, isFound)})
      LIMIT ${maxNamed(search)}) AS found GROUP BY id`;
};

const countNamed = (hits: Sql) => sql`(SELECT count(*) FROM ${hits} WHERE rank >= 0.8)`;

const bySimilarWords = ({ letters, isFound }: Source, search: Search, name: Sql) => {
  const { phrase } = search;
  const similar = sql`(SELECT greatest(similarity(name, phrase), word_similarity(phrase, name))
    FROM (SELECT search_ascii(search_fold((${name}))) AS name,
      search_ascii(search_fold(${phrase})) AS phrase) AS compared)`;
  const nameHits = search.types.filter((type) => type !== "comment").map(hitsByName);
  return sql`SELECT found.id, found.rank FROM "like" CROSS JOIN part CROSS JOIN LATERAL (
      SELECT s.id, ${similar} AS rank FROM search_texts s
      WHERE ${tokens} @@ ${inPart(sql`"like".words`, letters.named)} AND ${isFound}
      OFFSET 0) AS found
    WHERE ${sql.join(nameHits.map(countNamed), sql` + `)} < ${enough} LIMIT ${maxSimilar}`;
};

const byNumber = ({ workspaceId, cardNumber }: Search) =>
  cardNumber === null
    ? sql.empty
    : sql`(SELECT c.id, 10 AS rank FROM cards c
        WHERE c."workspaceId" = ${workspaceId} AND c.number = ${cardNumber} AND ${liveCard}
          AND c."boardId" IN (SELECT id FROM board)) UNION ALL`;

const hitsByName = (type: HitType) => sql.identifier(`${type}_named`);

const boardName = sql`SELECT b.name FROM boards b WHERE b.id = s.id`;
const cardName = sql`SELECT c.title FROM cards c WHERE c.id = s.id`;
const comments = matches(inPart(sql`asked.all`, sql`'o'`), score, isFoundComment);

/** SQL: the hits of each type with their ranks, by their words and by similar words. */
export const matchesOf: Record<HitType, (search: Search) => { named: Sql; similar: Sql }> = {
  board: (search) => ({
    named: byName(sourceOf.board, search),
    similar: bySimilarWords(sourceOf.board, search, boardName),
  }),
  card: (search) => ({
    named: byName(sourceOf.card, search, byNumber(search)),
    similar: bySimilarWords(sourceOf.card, search, cardName),
  }),
  comment: (search) => ({
    named: sql`${comments} LIMIT ${maxNamed(search)}`,
    similar: sql`SELECT NULL::bigint AS id, 0::real AS rank WHERE false`,
  }),
};
