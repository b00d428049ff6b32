import pg from "pg";
import type { Logger } from "pino";
import { type Baseline, type Migration, readBaseline, readMigrations } from "./migrations.ts";
import type { SchemaEngine } from "./schema-engine.ts";
import { patientSession } from "./session.ts";

// An arbitrary number for the advisory lock.
const lock = 5_249_817_301;

/**
 * Applies the missing migrations and returns them. Concurrent callers are safe.
 *
 * A new database is created from the baseline, unless `isStepwise`: then each migration runs.
 */
export async function migrate(
  url: string,
  log: Logger,
  directory?: string,
  { isStepwise = false } = {},
): Promise<string[]> {
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
    const baseline = isStepwise ? undefined : await readBaseline(directory);
    if (baseline !== undefined && (await isNew(client))) await create(url, baseline, migrations);
    for (const { name } of await pendingIn(client, migrations)) {
      await apply(url, migrations.slice(0, migrations.findIndex((each) => each.name === name) + 1));
      log.debug({ migration: name, ms: took() }, "migration applied");
    }
    const last = pending.at(-1)?.name;
    if (last !== undefined) {
      log.info({ migrations: pending.length, last, ms: took() }, "migrations applied");
    }
    const missing = await pendingIn(client, migrations);
    if (missing.length > 0)
      throw new Error(
        `Migrations are still missing: ${missing.map(({ name }) => name).join(", ")}`,
      );
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

/** Whether no migration was ever applied to a database. */
async function isNew(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  return rows[0]?.name === null;
}

/** The missing migrations. Throws when an applied migration was changed. */
async function pendingIn(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  if (await isNew(client)) return migrations;
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

/** Creates the schema of the baseline in an empty database, and records its migrations as applied. */
async function create(url: string, { sql, includes }: Baseline, migrations: Migration[]) {
  const included = migrations.filter(({ name }) => includes.includes(name));
  await inTransaction(url, "baseline", async (engine, connection) => {
    await engine.applyMigrations(listOf([{ name: "baseline", sql }]));
    await connection.query(
      `WITH baseline AS (DELETE FROM _prisma_migrations RETURNING *)
      INSERT INTO _prisma_migrations
        (id, migration_name, checksum, started_at, finished_at, applied_steps_count)
      SELECT gen_random_uuid(), m.name, m.checksum, started_at, finished_at, applied_steps_count
      FROM baseline, unnest($1::text[], $2::text[]) AS m(name, checksum)`,
      [included.map(({ name }) => name), included.map(({ checksum }) => checksum)],
    );
  });
}

/** Applies the last of these migrations in one transaction. */
async function apply(url: string, migrations: Migration[]): Promise<void> {
  const name = `migration ${migrations.at(-1)?.name}`;
  await inTransaction(url, name, async (engine) => {
    await engine.applyMigrations(listOf(migrations));
  });
}

/** Migrations as the engine takes them. */
const listOf = (migrations: Pick<Migration, "name" | "sql">[]) => ({
  migrationsList: {
    baseDir: "migrations",
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  },
  filters: { externalTables: [], externalEnums: [] },
});

async function inTransaction(
  url: string,
  name: string,
  run: (engine: SchemaEngine, connection: pg.Pool) => Promise<void>,
): Promise<void> {
  // Most starts have nothing to apply: they do not load the engine.
  const { withSchemaEngine } = await import("./schema-engine.ts");
  await withSchemaEngine(url, async (engine, { connection, failure }) => {
    await connection.query("BEGIN");
    try {
      await run(engine, connection);
    } catch (cause) {
      const reason = failure() ?? String(cause);
      throw new Error(`The ${name} failed and was rolled back: ${reason}`, { cause });
    }
    await connection.query("COMMIT");
  });
}
