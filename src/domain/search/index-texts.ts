import type { Query } from "../../platform/db/query.ts";
import { batchesOf } from "../../platform/db/insert-rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { asciiLetters, fold } from "./fold.ts";
import { vectorOf, wordsOfName } from "./words.ts";

/** A text that is found: of a board, a card or a comment, which has no name. */
export type SearchedText = {
  type: "board" | "card" | "comment";
  id: bigint;
  boardId: bigint;
  name: string | null;
  text: string | null;
  /** Whether it and what it is on are not deleted. */
  isLive: boolean;
  /** The name that it had. */
  oldName?: string;
};

type Owner = { workspaceId: bigint };
type Row = Pick<SearchedText, "type" | "id" | "boardId" | "name" | "text" | "isLive">;
/** The columns of a board or a card that are searched. */
type Named = {
  id: bigint;
  description: string | null;
  deletedAt: Date | null;
};

/** The text of a board; that of a deleted one is not searched, because its board is not. */
export const textOfBoard = ({
  id,
  name,
  description,
}: Omit<Named, "deletedAt"> & { name: string }) =>
  ({ type: "board", id, boardId: id, name, text: description, isLive: true }) as const;

/** The text of a card. */
export const textOfCard = ({
  id,
  boardId,
  title,
  description,
  deletedAt,
}: Named & { boardId: bigint; title: string }) =>
  ({
    type: "card",
    id,
    boardId,
    name: title,
    text: description,
    isLive: deletedAt === null,
  }) as const;

/** The text of a comment on a card that is not deleted. */
export const textOfComment = (id: bigint, boardId: bigint, text: string) =>
  ({ type: "comment", id, boardId, name: null, text, isLive: true }) as const;

const lengthOf = ({ name, text }: Row) => (name?.length ?? 0) + (text?.length ?? 0);

/**
 * Stores the words of texts that a transaction has written. Nobody waits for the statements.
 *
 * Whoever writes a searched text calls it; `test/kernel/observers/words.ts` compares all rows.
 */
export function indexTexts(
  query: Query,
  { workspaceId }: Owner,
  texts: readonly SearchedText[],
): void {
  const words = new Set(texts.flatMap(({ name }) => (name === null ? [] : [...wordsOfName(name)])));
  const lost = new Set(
    texts.flatMap(({ oldName, name }) =>
      oldName === undefined || oldName === name ? [] : [...wordsOfName(oldName)],
    ),
  );
  const stale = [...lost].filter((word) => !words.has(word));
  if (words.size > 0) void query(addWords(workspaceId, [...words]));
  if (stale.length > 0) void query(markStale(workspaceId, stale));
  for (const batch of batchesOf(texts, lengthOf)) void query(store(batch));
}

const addWords = (workspaceId: bigint, words: string[]): Sql =>
  sql`INSERT INTO search_words ("workspaceId", word, letters)
    SELECT ${workspaceId}::bigint, new.word, new.letters
    FROM unnest(${words}::text[], ${words.map(asciiLetters)}::text[]) AS new(word, letters)
    WHERE NOT EXISTS (SELECT FROM search_words s
      WHERE s.word = new.word AND s."workspaceId" = ${workspaceId} AND NOT s."isStale")`;

/** SQL: notes words that a name has lost. The purge looks whether another name has them. */
const markStale = (workspaceId: bigint, words: string[]): Sql =>
  sql`INSERT INTO search_words ("workspaceId", word, letters, "isStale")
    SELECT ${workspaceId}::bigint, word, '', true FROM unnest(${words}::text[]) AS word`;

const valuesOf = ({ type, id, boardId, name, text, isLive }: Row) =>
  [type, id, boardId, name === null ? null : fold(name), vectorOf(name, text), isLive] as const;

/** SQL: the rows of texts. One, as of most writes, needs no function that reads arrays. */
function rowsOf([first, ...others]: Row[]): Sql {
  if (first === undefined || others.length > 0) {
    const rows = (first === undefined ? [] : [first, ...others]).map(valuesOf);
    const column = <Nth extends 0 | 1 | 2 | 3 | 4 | 5>(nth: Nth) => rows.map((row) => row[nth]);
    return sql`unnest(${column(0)}::text[], ${column(1)}::bigint[], ${column(2)}::bigint[],
      ${column(3)}::text[], ${column(4)}::text[], ${column(5)}::boolean[])`;
  }
  const [type, id, boardId, name, words, isLive] = valuesOf(first);
  return sql`(SELECT ${type}::text, ${id}::bigint, ${boardId}::bigint, ${name}::text,
    ${words}::text, ${isLive}::boolean)`;
}

const store = (texts: Row[]): Sql =>
  sql`INSERT INTO search_texts (type, id, "scopeId", "titleHash", words, "isLive")
    SELECT type, id, "boardId", hashtextextended(name, 0), words::tsvector, "isLive"
    FROM ${rowsOf(texts)} AS new(type, id, "boardId", name, words, "isLive")
    ON CONFLICT (type, id) DO UPDATE SET "scopeId" = excluded."scopeId",
      "titleHash" = excluded."titleHash", words = excluded.words, "isLive" = excluded."isLive"`;

/** SQL: the texts of cards, and of what is on them. */
const isOnCards = (ids: readonly bigint[]) => sql`(type = 'card' AND id = ANY(${ids}::bigint[])
  OR type = 'comment' AND id IN (SELECT co.id FROM comments co
    WHERE co."cardId" = ANY(${ids}::bigint[])))`;

/** Cards have moved to another board of their workspace, with what is on them. */
export const moveTexts = (query: Query, ids: readonly bigint[], boardId: bigint) =>
  query(sql`UPDATE search_texts SET "scopeId" = ${boardId} WHERE ${isOnCards(ids)}`);

/** Takes a deleted card, with what is on it, from the index, or puts it back. */
export const setLive = (query: Query, cardId: bigint, isLive: boolean) =>
  query(sql`UPDATE search_texts SET "isLive" = ${isLive} WHERE ${isOnCards([cardId])}`);

/** A deleted comment is not restored. */
export const forgetComment = (query: Query, id: bigint) =>
  query(sql`DELETE FROM search_texts WHERE type = 'comment' AND id = ${id}`);

/** A board moves to another workspace: the words of its names are there, and may be here no more. */
export async function moveWords(
  query: Query,
  board: { id: bigint; workspaceId: bigint },
  targetId: bigint,
): Promise<void> {
  await query(sql`WITH moved AS MATERIALIZED (SELECT DISTINCT w.word, w.letters
      FROM search_texts s CROSS JOIN unnest(tsvector_to_array(ts_filter(s.words, '{a}'))) AS name
        JOIN search_words w ON w.word = name AND w."workspaceId" = ${board.workspaceId}
          AND NOT w."isStale"
      WHERE s.type = 'board' AND s.id = ${board.id} OR s.type = 'card'
        AND s.id IN (SELECT c.id FROM cards c WHERE c."boardId" = ${board.id})),
    stale AS (INSERT INTO search_words ("workspaceId", word, letters, "isStale")
      SELECT ${board.workspaceId}::bigint, word, '', true FROM moved)
    INSERT INTO search_words ("workspaceId", word, letters)
    SELECT ${targetId}::bigint, word, letters FROM moved
    WHERE NOT EXISTS (SELECT FROM search_words s WHERE s.word = moved.word
      AND s."workspaceId" = ${targetId} AND NOT s."isStale")`);
}
