import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { vectorOf } from "../../../src/domain/search/words.ts";
import { migrate } from "../../../src/platform/db/migrate.ts";
import { migrationsDirectory, readMigrations } from "../../../src/platform/db/migrations.ts";
import { freshDatabase } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** The migration that dropped the functions of the database that made words. */
const dropped = "20261129030000_search_words";

/** A database of before. */
async function earlierDatabase(): Promise<pg.Client> {
  const { url, drop } = await freshDatabase({ empty: true });
  onTestFinished(drop);
  const directory = await temporaryDirectory();
  for (const { name } of await readMigrations()) {
    if (name >= dropped) continue;
    await mkdir(join(directory, name));
    await cp(join(migrationsDirectory, name), join(directory, name), { recursive: true });
  }
  await migrate(url, pino({ level: "silent" }), { directory });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The blocks that came with Unicode 16 and later, which the service leaves as they are. */
const isNew =
  /[\ua7f1\u{105c0}-\u{105ff}\u{11380}-\u{113ff}\u{16100}-\u{1613f}\u{16d40}-\u{16d7f}\u{1cc00}-\u{1ccff}]/u;

/** The characters that the database knows: Node.js orders the marks of a newer Unicode as well. */
async function knownCharacters(client: pg.Client): Promise<string[]> {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code >= 0xe000))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !isNew.test(character));
  const { rows } = await client.query<{ character: string }>(
    `SELECT character FROM unnest($1::text[]) AS t(character) WHERE unicode_assigned(character)`,
    [all],
  );
  return rows.map(({ character }) => character);
}

test("the words that the database has stored before are those that the service makes", async () => {
  const client = await earlierDatabase();
  const characters = await knownCharacters(client);
  const page = await readFile(new URL("../../../docs/search.md", import.meta.url), "utf8");
  const texts = [...page.split("\n"), page, "1e2x 9e1ab2", "x".repeat(1_500), "登录".repeat(300)];
  for (let nth = 0; nth < 2_000; nth++) {
    const some = Array.from({ length: 20 }, () => {
      const near = Math.random() < 0.5 ? 0x3000 : characters.length;
      return characters[Math.floor(Math.random() * near)] ?? "";
    });
    texts.push(some.join(nth % 2 === 0 ? "" : " "));
  }
  const { rows } = await client.query<{ text: string; stored: string[]; words: string[] }>(
    `SELECT text, tsvector_to_array(words_of(text, text)) AS stored,
       tsvector_to_array(words::tsvector) AS words
     FROM unnest($1::text[], $2::text[]) AS t(text, words)`,
    [texts, texts.map((text) => vectorOf(text, text))],
  );
  for (const { text, stored, words } of rows)
    expect({ text, words }).toEqual({ text, words: stored });
});
