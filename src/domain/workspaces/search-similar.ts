import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Similar } from "./search-asked.ts";
import { asciiLetters } from "../search/fold.ts";
import { boards, boardWords, isIndexed, isLive, tokens, type Search } from "./search-matches.ts";

/** The most similar words of one word, and of all words: each is looked up on every board. */
const [maxOfWord, maxOfAll] = [12, 24];

/** SQL: whether the title of a card that the caller finds has the word of `w`. */
const isInTitle = sql`EXISTS (SELECT FROM board CROSS JOIN LATERAL (SELECT FROM search_texts s
    WHERE ${isIndexed} AND ${tokens} @@ search_key(board.id || 't' || w.word)::tsquery
      AND ${isLive.card} LIMIT 1) AS found)`;
const isInBoardName = sql`w.word IN (SELECT unnest(tsvector_to_array(ts_filter(found.words, '{a}')))
  FROM ${boardWords})`;

/**
 * Finds the words of names that are like the words of a query, the most similar first. A word counts
 * only if the caller finds a name that has it: no hidden word replaces it.
 *
 * The last word of a query is a prefix: names with longer words than that one match anyway.
 */
export async function similarWords(query: Query, search: Search): Promise<Similar[]> {
  const { workspaceId, types, asked } = search;
  const conditions: Sql[] = [
    ...(types.includes("card") ? [isInTitle] : []),
    ...(types.includes("board") ? [isInBoardName] : []),
  ];
  const last = asked.words.at(-1)?.text ?? "";
  if (asked.mistyped.length === 0 || conditions.length === 0) return [];
  const most = Math.min(maxOfWord, Math.floor(maxOfAll / asked.mistyped.length));
  return query<Similar>(sql`WITH ${boards(search)}
    SELECT asked.word AS asked, similar_word.word, similar_word.similarity
    FROM unnest(${asked.mistyped}::text[], ${asked.mistyped.map(asciiLetters)}::text[])
      AS asked(word, letters) CROSS JOIN LATERAL (
        SELECT w.word, w.similarity
        FROM (SELECT * FROM similar_words(${workspaceId}, asked.letters) OFFSET 0) AS w
        WHERE w.word <> asked.word AND NOT (asked.word = ${last} AND starts_with(w.word, asked.word))
          AND (octet_length(w.word) = length(w.word)) = (asked.letters = asked.word)
          AND (${sql.join(conditions, sql` OR `)})
        LIMIT ${most}) AS similar_word`);
}
