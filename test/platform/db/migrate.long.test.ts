import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../../src/platform/db/migrate.ts";
import { readMigrations } from "../../../src/platform/db/migrations.ts";
import { withSchemaEngine } from "../../../src/platform/db/schema-engine.ts";
import { freshDatabase } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

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
  await migrate(url, log, directory);
  expect(await rows("SELECT five()")).toEqual([{ five: "a;b" }]);
});

test("a failed migration says why, is rolled back, and can be corrected", async () => {
  const { url, rows } = await empty();
  const { directory, write } = await folder({
    "20200101000000_good": "CREATE TABLE good (id int);",
    "20200102000000_bad": "CREATE TABLE half (id int); CREATE TABLE bad (id nonsense);",
  });
  await expect(migrate(url, log, directory)).rejects.toThrow(
    /20200102000000_bad failed and was rolled back: type "nonsense" does not exist/,
  );
  expect(await rows(tables)).toEqual([{ tablename: "_prisma_migrations" }, { tablename: "good" }]);
  await write("20200102000000_bad", "CREATE TABLE half (id int);");
  expect(await migrate(url, log, directory)).toEqual(["20200102000000_bad"]);
});

test("an interrupted migration is applied completely the next time", async () => {
  const { url, rows } = await empty();
  const cut = `SELECT pg_terminate_backend(pg_backend_pid()) WHERE current_setting('test.again', true) IS NULL`;
  const { directory } = await folder({
    "20200101000000_cut": `CREATE TABLE half (id int); ${cut};`,
  });
  await expect(migrate(url, log, directory)).rejects.toThrow(/20200101000000_cut/);
  expect(await rows(tables)).toEqual([]);
  await rows(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET test.again = 'yes'`);
  expect(await migrate(url, log, directory)).toEqual(["20200101000000_cut"]);
});

test("refuses a migration that was changed after it had been applied", async () => {
  const { url } = await empty();
  const { directory, write } = await folder({ "20200101000000_a": "CREATE TABLE a (id int);" });
  await migrate(url, log, directory);
  await write("20200101000000_a", "CREATE TABLE a (id bigint);");
  await expect(migrate(url, log, directory)).rejects.toThrow(/20200101000000_a was changed/);
});

test("changes nothing in a database of a newer version", async () => {
  const { url } = await empty();
  const { directory } = await folder({
    "20200101000000_a": "CREATE TABLE a (id int);",
    "20200102000000_b": "CREATE TABLE b (id int);",
  });
  await migrate(url, log, directory);
  const { directory: older } = await folder({ "20200101000000_a": "CREATE TABLE a (id int);" });
  expect(await migrate(url, log, older)).toEqual([]);
});

test("old events get their numbers in the order in which feeds have shown them", async () => {
  const { url, rows } = await empty();
  const all = await readMigrations();
  const isEarlier = ({ name }: { name: string }) => name < "20261126130000_log_numbers";
  const { directory } = await folder(
    Object.fromEntries(all.filter(isEarlier).map(({ name, sql }) => [name, sql])),
  );
  await migrate(url, log, directory);
  await rows(`INSERT INTO users ("publicId", email, name, "updatedAt")
    VALUES ('user', 'a@example.com', 'A', now())`);
  await rows(`INSERT INTO workspaces ("publicId", name, slug, "cardPrefix", "updatedAt")
    SELECT name, name, name, 'X', now() FROM unnest('{one,two}'::text[]) name`);
  const events = [
    ["imported", "one", 0],
    ["late", "one", 9],
    ["early", "one", 7],
    ["same", "one", 9],
    ["other", "two", 8],
  ];
  for (const [id, workspace, transaction] of events) {
    await rows(`INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName", data,
        "transactionId") SELECT '${id}', id, 'card.updated', 'system', 'system', '{}', ${transaction}
      FROM workspaces WHERE slug = '${workspace}'`);
  }
  await rows(`INSERT INTO user_events ("userId", type, data, "createdAt", "transactionId")
    SELECT id, 'favourite.added', '{}', now(), number FROM users, unnest('{5,3}'::int[]) number`);
  const [before] = (await rows("SELECT max(id) AS id FROM events")) as { id: string }[];

  expect(await migrate(url, log)).toContain("20261126130000_log_numbers");
  expect(
    await rows(`SELECT e."publicId" AS id, w.slug, number::int FROM events e
      JOIN workspaces w ON w.id = e."workspaceId" ORDER BY w.slug, number NULLS FIRST`),
  ).toEqual([
    { id: "imported", slug: "one", number: null },
    { id: "early", slug: "one", number: 1 },
    { id: "late", slug: "one", number: 2 },
    { id: "same", slug: "one", number: 3 },
    { id: "other", slug: "two", number: 1 },
  ]);
  const counters = `SELECT last::int FROM workspace_logs ORDER BY "workspaceId"`;
  expect(await rows(counters)).toEqual([{ last: 3 }, { last: 1 }]);
  expect(await rows("SELECT last::int FROM user_logs")).toEqual([{ last: 2 }]);
  expect(await rows(`SELECT number::int, length("publicId") FROM user_events ORDER BY id`)).toEqual(
    [
      { number: 2, length: 12 },
      { number: 1, length: 12 },
    ],
  );
  // The ids that earlier transactions have reserved are not given again.
  const [next] = (await rows("SELECT nextval('events_id_seq') AS id")) as { id: string }[];
  expect(BigInt(next?.id ?? 0)).toBeGreaterThanOrEqual(BigInt(before?.id ?? 0) + 1_048_576n);
});

test("old keys of order become numbers in the same order, those of the trash too", async () => {
  const { url, rows } = await empty();
  const all = await readMigrations();
  const isEarlier = ({ name }: { name: string }) => name < "20261126130000_log_numbers";
  const { directory } = await folder(
    Object.fromEntries(all.filter(isEarlier).map(({ name, sql }) => [name, sql])),
  );
  await migrate(url, log, directory);
  await rows(`INSERT INTO workspaces ("publicId", name, slug, "cardPrefix", "updatedAt")
    VALUES ('home', 'Home', 'home', 'H', now())`);
  await rows(`INSERT INTO boards ("publicId", "workspaceId", name, slug, "updatedAt")
    SELECT 'board', id, 'Board', 'board', now() FROM workspaces`);
  await rows(`INSERT INTO lists ("publicId", "workspaceId", "boardId", name, position, "deletedAt")
    SELECT list.name, "workspaceId", id, list.name, key,
      CASE WHEN list.name = 'gone' THEN now() END
    FROM boards, unnest('{third,first,gone,second}'::text[], '{a0V,Zz,a0,a0}'::text[])
      AS list(name, key)`);
  await rows(`INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title,
      position)
    SELECT card.name, l."workspaceId", l."boardId", l.id, nth, card.name, key
    FROM lists l, unnest('{c,a,b}'::text[], '{b00,Z0,a1}'::text[]) WITH ORDINALITY
      AS card(name, key, nth) WHERE l.name = 'first'`);

  expect(await migrate(url, log)).toContain("20261126130000_numeric_positions");
  const order = (table: string) =>
    rows(`SELECT "publicId" AS id, position::int FROM ${table} ORDER BY position`);
  expect(await order("lists")).toEqual([
    { id: "first", position: 1 },
    { id: "gone", position: 2 },
    { id: "second", position: 3 },
    { id: "third", position: 4 },
  ]);
  expect(await order("cards")).toEqual([
    { id: "a", position: 1 },
    { id: "b", position: 2 },
    { id: "c", position: 3 },
  ]);
});
