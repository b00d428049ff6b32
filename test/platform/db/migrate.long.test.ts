import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createSeal } from "../../../src/platform/crypto/seal.ts";
import { migrate } from "../../../src/platform/db/migrate.ts";
import { readMigrations } from "../../../src/platform/db/migrations.ts";
import { withSchemaEngine } from "../../../src/platform/db/schema-engine.ts";
import { freshDatabase } from "../../support/database.ts";
import { query } from "../../support/embedded.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { waitFor } from "../../support/wait.ts";

const log = pino({ level: "silent" });

async function empty() {
  const { url, drop } = await freshDatabase({ empty: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  const rows = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows;
  return { url, rows };
}

async function folder(migrations: Record<string, string>) {
  const directory = await temporaryDirectory();
  const write = async (name: string, sql: string) => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, "migration.sql"), sql);
  };
  for (const [name, sql] of Object.entries(migrations)) await write(name, sql);
  return { directory, write };
}

const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";

test("migrates an empty database, and does nothing the second time", async () => {
  const { url } = await empty();
  const all = (await readMigrations()).map(({ name }) => name);
  expect(all.length).toBeGreaterThan(0);
  expect(await migrate(url, log)).toEqual(all);
  expect(await migrate(url, log)).toEqual([]);
});

test("refuses a database whose encoding is not UTF-8, before it writes", async () => {
  const { url, rows } = await empty();
  const name = `latin_${Date.now()}`;
  await rows(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc
    LOCALE 'C' TEMPLATE template0`);
  onTestFinished(async () => void (await rows(`DROP DATABASE ${name} WITH (FORCE)`)));
  const latin = new URL(url);
  latin.pathname = `/${name}`;
  await expect(migrate(latin.href, log)).rejects.toThrow(/encoding LATIN1.*ENCODING 'UTF8'/);
});

test("records applied migrations as `prisma migrate deploy` does", async () => {
  const { url } = await empty();
  await migrate(url, log);
  const migrations = await readMigrations();
  const diagnosis = await withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: {
        baseDir: "migrations",
        lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
        shadowDbInitScript: "",
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
        })),
      },
      optInToShadowDatabase: false,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  expect(diagnosis).toMatchObject({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  });
});

test("five instances that start at once apply each migration once", async () => {
  const { url, rows } = await empty();
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(url, log)));
  const all = (await readMigrations()).map(({ name }) => name);
  expect(done.flat().toSorted()).toEqual(all);
  expect(await rows("SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1")).toEqual(
    all.map((name) => ({ name })),
  );
});

test("takes functions, comments and texts with semicolons as they are", async () => {
  const { url, rows } = await empty();
  const { directory } = await folder({
    "20200101000000_one": `-- one; two
      CREATE FUNCTION five() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'a;b'; END $$;`,
  });
  await migrate(url, log, { directory });
  expect(await rows("SELECT five()")).toEqual([{ five: "a;b" }]);
});

test("a failed migration says why, is rolled back, and can be corrected", async () => {
  const { url, rows } = await empty();
  const { directory, write } = await folder({
    "20200101000000_good": "CREATE TABLE good (id int);",
    "20200102000000_bad": "CREATE TABLE half (id int); CREATE TABLE bad (id nonsense);",
  });
  await expect(migrate(url, log, { directory })).rejects.toThrow(
    /20200102000000_bad failed and was rolled back: type "nonsense" does not exist/,
  );
  expect(await rows(tables)).toEqual([{ tablename: "_prisma_migrations" }, { tablename: "good" }]);
  await write("20200102000000_bad", "CREATE TABLE half (id int);");
  expect(await migrate(url, log, { directory })).toEqual(["20200102000000_bad"]);
});

test("an interrupted migration is applied completely the next time", async () => {
  const { url, rows } = await empty();
  const cut = `SELECT pg_terminate_backend(pg_backend_pid()) WHERE current_setting('test.again', true) IS NULL`;
  const { directory } = await folder({
    "20200101000000_cut": `CREATE TABLE half (id int); ${cut};`,
  });
  await expect(migrate(url, log, { directory })).rejects.toThrow(/20200101000000_cut/);
  expect(await rows(tables)).toEqual([]);
  await rows(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET test.again = 'yes'`);
  expect(await migrate(url, log, { directory })).toEqual(["20200101000000_cut"]);
});

test("refuses a migration that was changed after it had been applied", async () => {
  const { url } = await empty();
  const { directory, write } = await folder({ "20200101000000_a": "CREATE TABLE a (id int);" });
  await migrate(url, log, { directory });
  await write("20200101000000_a", "CREATE TABLE a (id bigint);");
  await expect(migrate(url, log, { directory })).rejects.toThrow(/20200101000000_a was changed/);
});

test("an aborted migration is rolled back at once, and its session ends", async () => {
  const { url, rows } = await empty();
  const { directory } = await folder({
    "20200101000000_slow": "CREATE TABLE half (id int); SELECT pg_sleep(300);",
  });
  const stop = new AbortController();
  const stopped = migrate(url, log, { directory, signal: stop.signal });
  const sessions = (state: string) =>
    rows(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'migrate' AND ${state}`);
  await waitFor(async () => expect(await sessions("query ~ 'pg_sleep'")).toHaveLength(1));
  stop.abort(new Error("stopped by the test"));
  await expect(stopped).rejects.toThrow("stopped by the test");
  await waitFor(async () => expect(await sessions("true")).toEqual([]));
  expect(await rows(tables)).toEqual([]);
});

test("a migration waits for its table without stopping others for long", async () => {
  const { url, rows } = await empty();
  const made = { "20200101000000_a": "CREATE TABLE a (id int);" };
  await migrate(url, log, { directory: (await folder(made)).directory });
  await rows("BEGIN");
  await rows("LOCK TABLE a IN ACCESS SHARE MODE");
  const { directory } = await folder({
    ...made,
    "20200102000000_b": "ALTER TABLE a ADD COLUMN name text;",
  });
  const lines: string[] = [];
  const warnings = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const done = migrate(url, warnings, { directory });
  await waitFor(() => expect(lines.join("")).toContain("its tables are in use"));
  // Between its attempts, others are served.
  await query(url, "INSERT INTO a VALUES (1)");
  await rows("COMMIT");
  expect(await done).toEqual(["20200102000000_b"]);
});

test("an index is created while others write, and again after an interrupted attempt", async () => {
  const { url, rows } = await empty();
  const made = { "20200101000000_a": "CREATE TABLE a (id int); INSERT INTO a VALUES (1), (1);" };
  const index = {
    "20200102000000_i": '-- Ids are unique.\nCREATE UNIQUE INDEX CONCURRENTLY "aI" ON a (id);',
  };
  const { directory } = await folder({ ...made, ...index });
  await expect(migrate(url, log, { directory })).rejects.toThrow(
    /20200102000000_i failed and is repeated at the next start: could not create unique index/,
  );
  const valid = `SELECT indisvalid AS valid FROM pg_index WHERE indrelid = 'a'::regclass`;
  expect(await rows(valid)).toEqual([{ valid: false }]);
  await rows("DELETE FROM a WHERE ctid = '(0,1)'");
  expect(await migrate(url, log, { directory })).toEqual(["20200102000000_i"]);
  expect(await rows(valid)).toEqual([{ valid: true }]);
  // The process ended after the index, and before the record.
  await rows("DELETE FROM _prisma_migrations WHERE migration_name = '20200102000000_i'");
  expect(await migrate(url, log, { directory })).toEqual(["20200102000000_i"]);
  const { directory: two } = await folder({
    "20200103000000_two": "CREATE INDEX CONCURRENTLY b ON a (id); SELECT 1;",
  });
  await expect(migrate(url, log, { directory: two })).rejects.toThrow(/only one statement/);
});

test("changes nothing in a database of a newer version", async () => {
  const { url } = await empty();
  const { directory } = await folder({
    "20200101000000_a": "CREATE TABLE a (id int);",
    "20200102000000_b": "CREATE TABLE b (id int);",
  });
  await migrate(url, log, { directory });
  const { directory: older } = await folder({ "20200101000000_a": "CREATE TABLE a (id int);" });
  expect(await migrate(url, log, { directory: older })).toEqual([]);
});

test("stored responses of the last version are found by their keys, and open", async () => {
  const { url, rows } = await empty();
  const all = await readMigrations();
  const isEarlier = ({ name }: { name: string }) => name < "20261129020000_short_idempotency_keys";
  const { directory } = await folder(
    Object.fromEntries(all.filter(isEarlier).map(({ name, sql }) => [name, sql])),
  );
  await migrate(url, log, { directory });
  const seal = createSeal(["a secret of this test"]);
  const texts = ["{}", '{"output":1}', '{"output":12}', `{"output":"${"é".repeat(500)}"}`];
  const answers = [
    ...texts.map((text) => `'${seal.seal("idempotency", text)}'`),
    "'erased'",
    "NULL",
  ];
  for (const [nth, answer] of answers.entries()) {
    await rows(`INSERT INTO idempotency_keys (scope, key, "requestHash", answer)
      VALUES ('user:${nth}', 'key', repeat('0${nth}', 32), ${answer})`);
  }
  await migrate(url, log);
  const converted =
    await rows(`SELECT digest = idempotency_digest('user:' || n, 'key') AS "isFound",
      request, response FROM idempotency_keys k JOIN generate_series(0, 9) n ON n = get_byte(request, 0)
    ORDER BY n`);
  const shown = converted.map((row) => {
    const { isFound, request, response } = row as Record<string, Buffer | null>;
    const isOpen = response !== null && response !== undefined && response.length > 0;
    return [
      isFound,
      request?.length,
      isOpen ? String(seal.openBytes("idempotency", response)) : response,
    ];
  });
  expect(shown).toEqual([...texts, Buffer.alloc(0), null].map((response) => [true, 16, response]));
});
