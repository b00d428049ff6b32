import pg from "pg";
import type { Logger } from "pino";
import { type Migration, readMigrations } from "./migrations.ts";
import { patientSession } from "./session.ts";

// An arbitrary number for the advisory lock.
const lock = 5_249_817_301;

/** Applies the missing migrations and returns them. Concurrent callers are safe. */
export async function migrate(url: string, log: Logger, directory?: string): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const { config, prepare } = patientSession(url);
  const client = new pg.Client({ ...config, application_name: "migrate" });
  client.on("error", (error) => log.error({ err: error }, "connection lost while migrating"));
  await client.connect();
  try {
    await prepare(client);
    await checkEncoding(client);
    if ((await pendingIn(client, migrations)).length === 0) return [];
    // Concurrent callers wait here. Closing the connection releases the lock.
    await client.query("SELECT pg_advisory_lock($1)", [lock]);
    const pending = await pendingIn(client, migrations);
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    for (const { name } of pending) {
      await apply(url, migrations.slice(0, migrations.findIndex((each) => each.name === name) + 1));
      log.debug({ migration: name, ms: took() }, "migration applied");
    }
    const last = pending.at(-1)?.name;
    if (last !== undefined) {
      log.info({ migrations: pending.length, last, ms: took() }, "migrations applied");
    }
    const left = await pendingIn(client, migrations);
    if (left.length > 0)
      throw new Error(`Migrations are still missing: ${left.map(({ name }) => name).join(", ")}`);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Throws unless the database can store every character. */
async function checkEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== "UTF8")
    throw new Error(
      `The database has the encoding ${encoding}, which cannot store all texts. ` +
        "Create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, " +
        "move the data with pg_dump and psql, and set DATABASE_URL to it.",
    );
}

/** The missing migrations. Throws when an applied migration was changed. */
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
      `The migration ${changed.name} was changed after it was applied to this database. ` +
        "Restore the file and write a new migration. " +
        "A database without valuable data can be dropped.",
    );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Applies the last of these migrations in one transaction. */
async function apply(url: string, migrations: Migration[]): Promise<void> {
  const name = migrations.at(-1)?.name;
  // Most starts have nothing to apply: they do not load the engine.
  const { withSchemaEngine } = await import("./schema-engine.ts");
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
