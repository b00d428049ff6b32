import pg from "pg";
import type { Logger } from "pino";
import { type Migration, readMigrations } from "./migrations.ts";
import { withSchemaEngine } from "./schema-engine.ts";

// Any number will do, as long as nothing else in this database locks the same one.
const lock = 5_249_817_301;

/** Applies the pending migrations and returns their names. Concurrent calls are safe. */
export async function migrate(url: string, log: Logger, directory?: string): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: url, application_name: "migrate" });
  client.on("error", (error) => log.error({ err: error }, "connection lost while migrating"));
  await client.connect();
  try {
    if ((await pendingIn(client, migrations)).length === 0) return [];
    // Other callers wait here and then find nothing to do. Closing the connection unlocks.
    await client.query("SELECT pg_advisory_lock($1)", [lock]);
    const pending = await pendingIn(client, migrations);
    for (const { name } of pending) {
      const began = performance.now();
      await apply(url, migrations.slice(0, migrations.findIndex((each) => each.name === name) + 1));
      log.info({ migration: name, ms: Math.round(performance.now() - began) }, "migration applied");
    }
    const left = await pendingIn(client, migrations);
    if (left.length > 0)
      throw new Error(
        `Migrations did not stay applied: ${left.map(({ name }) => name).join(", ")}`,
      );
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The migrations that the database lacks. Throws when an applied one was changed since. */
async function pendingIn(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows: found } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (found[0]?.name === null) return migrations;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = migrations.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  );
  if (changed !== undefined)
    throw new Error(
      `The migration ${changed.name} was changed after it had been applied to this database. ` +
        "Restore it and write a new one. A database without data of value can be dropped instead.",
    );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Applies the last of these migrations, whole or not at all. */
async function apply(url: string, migrations: Migration[]): Promise<void> {
  const name = migrations.at(-1)?.name;
  await withSchemaEngine(url, async (engine, { connection, failure }) => {
    await connection.query("BEGIN");
    try {
      await engine.applyMigrations({
        migrationsList: {
          baseDir: "migrations",
          lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
          shadowDbInitScript: "",
          migrationDirectories: migrations.map((migration) => ({
            path: migration.name,
            migrationFile: { path: "migration.sql", content: { tag: "ok", value: migration.sql } },
          })),
        },
        filters: { externalTables: [], externalEnums: [] },
      });
    } catch (error) {
      throw new Error(
        `The migration ${name} failed and was rolled back: ${failure() ?? String(error)}`,
        {
          cause: error,
        },
      );
    }
    await connection.query("COMMIT");
  });
}
