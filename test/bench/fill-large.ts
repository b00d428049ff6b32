import type pg from "pg";

const [consonants, vowels] = ["bdfgklmnprstvz", "aeiou"];
const syllables = Array.from(consonants).flatMap((c) => Array.from(vowels, (v) => c + v));

/** A word of three syllables; different numbers have different words. */
export function wordOf(nth: number): string {
  const count = syllables.length;
  const number = (nth * 104_729) % count ** 3;
  return [number % count, Math.floor(number / count) % count, Math.floor(number / count ** 2)]
    .map((syllable) => syllables[syllable] ?? "")
    .join("");
}

type Amounts = { boards: number; cards: number; vocabulary: number };
const perStatement = 5_000;

/**
 * Fills the workspace `Large` with many cards, a comment on each fifth, straight to the tables. The first word is
 * in most cards, and the last ones in about a hundred of a million. Every tenth board is restricted.
 */
export async function fillLarge(client: pg.Client, { boards, cards, vocabulary }: Amounts) {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  // As often as in a language: the nth word has the part 1/n of the first one.
  const word = () => wordOf(Math.floor(vocabulary ** Math.random()));
  const text = (count: number) => Array.from({ length: count }, word).join(" ");
  await run("SET session_replication_role = replica");
  await run("SET synchronous_commit = off");
  await run("SET maintenance_work_mem = '1GB'");
  await run(`UPDATE workspaces SET "lastCardNumber" = ${cards} WHERE name = 'Large'`);
  await run(`INSERT INTO boards ("publicId", "workspaceId", name, slug, visibility)
    SELECT substr(md5(n || 'board'), 1, 12), w.id, 'Board ' || n, 'board-' || n,
      CASE WHEN n % 10 = 0 THEN 'restricted' ELSE 'private' END::"BoardVisibility"
    FROM workspaces w, generate_series(1, ${boards}) n WHERE w.name = 'Large'`);
  await run(`INSERT INTO lists ("publicId", "workspaceId", "boardId", name, position)
    SELECT substr(md5(b.id || 'l' || n), 1, 12), b."workspaceId", b.id, 'List ' || n, n
    FROM boards b JOIN workspaces w ON w.id = b."workspaceId", generate_series(1, 5) n
    WHERE w.name = 'Large'`);
  const { rows: indexes } = await run(`SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename IN ('search_texts', 'search_words') AND indexname LIKE '%_t%'
      AND indexname NOT LIKE '%pkey'`);
  for (const { indexname } of indexes) await run(`DROP INDEX "${indexname}"`);
  for (let from = 0; from < cards; from += perStatement) {
    const count = Math.min(perStatement, cards - from);
    await run(
      `INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title,
         description, position, "commentCount")
       SELECT substr(md5(nth || 'card'), 1, 12), l."workspaceId", l."boardId", l.id, nth, title,
         description, nth, CASE WHEN nth % 5 = 0 THEN 1 ELSE 0 END
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(title, description, n),
         LATERAL (SELECT n + ${from} AS nth OFFSET 0) AS numbered,
         LATERAL (SELECT * FROM lists WHERE id = (SELECT min(l.id) FROM lists l
           JOIN workspaces w ON w.id = l."workspaceId" WHERE w.name = 'Large')
           + (nth * 7919) % ${5 * boards} OFFSET 0) AS l`,
      [Array.from({ length: count }, () => text(4)), Array.from({ length: count }, () => text(20))],
    );
  }
  await run(`INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "authorName")
    SELECT substr(md5(id || 'comment'), 1, 12), "workspaceId", id, description, 'An author'
    FROM cards WHERE number % 5 = 0 AND "workspaceId" = (SELECT id FROM workspaces
      WHERE name = 'Large')`);
  await indexWords(run);
  for (const { indexdef } of indexes) await run(indexdef);
  await run("VACUUM ANALYZE");
}

/** Stores the words of ASCII texts, as the service does. */
async function indexWords(run: (text: string) => Promise<unknown>) {
  const title = (name: string) =>
    `hashtextextended(lower(${name}), 0), setweight(to_tsvector('simple', ${name}), 'A')`;
  await run(`INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    SELECT 'board', id, id, ${title("name")} FROM boards ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO search_texts (type, id, "scopeId", "titleHash", words)
    SELECT 'card', id, "boardId", ${title("title")} || to_tsvector('simple', description)
    FROM cards WHERE description IS NOT NULL ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO search_texts (type, id, "scopeId", words)
    SELECT 'comment', co.id, c."boardId", to_tsvector('simple', comment)
    FROM comments co JOIN cards c ON c.id = co."cardId" ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO search_words ("workspaceId", word, letters)
    SELECT DISTINCT "workspaceId", word, word
    FROM cards, regexp_split_to_table(title, ' ') AS word`);
}
