import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/platform/db/migrate.ts";
import { readLocks, type TableLock } from "../../src/platform/db/migration-locks.ts";
import { readMigrationNames } from "../../src/platform/db/migrations.ts";
import { freshDatabase } from "../support/database.ts";
import { query, silent } from "../support/embedded.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { previousRelease } from "./previous-release.ts";
import { growing, small } from "./tables.ts";

/** Locks under which others go on to write. */
const letsWrite = new Set(["ShareUpdateExclusiveLock"]);

/** Whether writes wait for as long as a table is large. */
const isLong = ({ table, lock, isRewritten, isScanned }: TableLock) =>
  growing.has(table) &&
  (isRewritten || lock === "RowExclusiveLock" || (isScanned && !letsWrite.has(lock)));

test("no migration after the release before holds up the writes of a table that grows", async () => {
  const locksOf = await readLocks();
  const names = (await readMigrationNames()).filter((name) => name > previousRelease.lastMigration);
  const long = names.flatMap((name) =>
    locksOf(name)
      .filter(isLong)
      .map((lock) => ({ name, ...lock })),
  );
  // CONTRIBUTING.md says how to do it instead.
  expect(long).toEqual([]);
});

test("every table is one that grows or one that stays small", async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const tables = (await query(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )) as { name: string }[];
  const names = tables.map(({ name }) => name).filter((name) => name !== "_prisma_migrations");
  expect(names.toSorted()).toEqual([...growing, ...small].toSorted());
});

const migrations: [sql: string, isLong: boolean][] = [
  [`UPDATE cards SET title = title`, true],
  [`DELETE FROM events WHERE id = 1`, true],
  [`ALTER TABLE cards ALTER COLUMN title TYPE varchar(9999)`, true],
  [`ALTER TABLE events ALTER COLUMN data TYPE jsonb USING data::text::jsonb`, true],
  [`ALTER TABLE cards ALTER COLUMN "dueDate" SET NOT NULL`, true],
  [`ALTER TABLE comments ADD CHECK (length(comment) < 1e6)`, true],
  [`CREATE INDEX i ON cards (title)`, true],
  [`ALTER TABLE jobs ADD COLUMN extra uuid DEFAULT gen_random_uuid()`, true],
  [`ALTER TABLE cards ADD COLUMN extra text NOT NULL DEFAULT ''`, false],
  [`ALTER TABLE cards DROP COLUMN title`, false],
  [`ALTER TABLE cards ADD CONSTRAINT c CHECK (title <> 'x') NOT VALID`, false],
  [`ALTER TABLE boards ALTER COLUMN name SET NOT NULL`, false],
  [`CREATE INDEX CONCURRENTLY i ON cards (title)`, false],
  [`UPDATE roles SET name = name`, false],
  [`CREATE TABLE extra (id bigserial PRIMARY KEY, "cardId" bigint REFERENCES cards)`, false],
];

/** The locks of migrations that follow each other. */
async function observe(...steps: string[]): Promise<TableLock[]> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const directory = await temporaryDirectory();
  for (const [index, sql] of steps.entries()) {
    await mkdir(join(directory, `2099010100000${index}_x`));
    await writeFile(join(directory, `2099010100000${index}_x`, "migration.sql"), sql);
  }
  const found: TableLock[] = [];
  await migrate(url, silent, { directory, onLocks: (_, locks) => void found.push(...locks) });
  return found;
}

test.each(migrations)("%s is long: %s", async (sql, expected) => {
  const found = await observe(sql);
  expect(found.some(isLong), JSON.stringify(found)).toBe(expected);
});

test("a column becomes NOT NULL in three migrations while others write", async () => {
  const found = await observe(
    `ALTER TABLE cards ADD CONSTRAINT due CHECK ("dueDate" IS NOT NULL) NOT VALID`,
    `ALTER TABLE cards VALIDATE CONSTRAINT due`,
    // In one statement, the check would be gone before PostgreSQL looks for it.
    `ALTER TABLE cards ALTER COLUMN "dueDate" SET NOT NULL; ALTER TABLE cards DROP CONSTRAINT due`,
  );
  const cards = found.filter(({ table }) => table === "cards");
  expect(cards.map(({ lock, isScanned }) => [lock, isScanned])).toEqual([
    ["AccessExclusiveLock", false],
    ["ShareUpdateExclusiveLock", true],
    ["AccessExclusiveLock", false],
  ]);
  expect(found.some(isLong)).toBe(false);
});
