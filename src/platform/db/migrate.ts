import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { apply, type ApplyOptions } from "./apply-migration.ts";
import { missingSteps, readApplied } from "./migration-plan.ts";
import { type Migration, readEarlier, readMigrations } from "./migrations.ts";
import { patientSession } from "./session.ts";

// An arbitrary number for the advisory lock.
const lock = 5_249_817_301;
/** How often the lock is tried: a session that waits for it would stop `CREATE INDEX CONCURRENTLY`. */
const lockMs = 250;

/** The step that runs, and how many there are. */
export type MigrationProgress = { name: string; step: number; of: number };

/** What to migrate with. */
export type MigrateOptions = {
  /** Another folder of migrations. */
  directory?: string | undefined;
  /** Ends the migration. The step that runs is rolled back. */
  signal?: AbortSignal | undefined;
  /** Is told each step before it runs. */
  onStep?: ((progress: MigrationProgress) => void) | undefined;
  onLocks?: ApplyOptions["onLocks"];
};

/** Applies the missing migrations and returns their names. Concurrent callers are safe. */
export async function migrate(
  url: string,
  log: Logger,
  { directory, signal, onStep, onLocks }: MigrateOptions = {},
): Promise<string[]> {
  return withMigrations(url, { directory, signal }, async ({ client, missing }) => {
    if ((await missing()).length === 0) return [];
    const isNew = (await readApplied(client)).size === 0;
    await lockMigrations(client, signal);
    const steps = await missing();
    const began = performance.now();
    const took = (since: number) => Math.round(performance.now() - since);
    for (const [index, step] of steps.entries()) {
      const progress = { name: step.name, step: index + 1, of: steps.length };
      onStep?.(progress);
      const level = isNew ? "debug" : "info";
      log[level]({ migration: step.name, step: progress.step, of: progress.of }, "migrating");
      const stepBegan = performance.now();
      await apply(client, step, { log, signal, onLocks });
      log[level]({ migration: step.name, ms: took(stepBegan) }, "migration applied");
    }
    const last = steps.at(-1)?.name;
    if (last !== undefined) {
      log.info({ migrations: steps.length, last, ms: took(began) }, "migrations applied");
    }
    return steps.map(({ name }) => name);
  });
}

/** The names of the migrations that a database lacks, in order. */
export const pendingMigrations = (url: string): Promise<string[]> =>
  withMigrations(url, {}, async ({ missing }) => (await missing()).map(({ name }) => name));

type Migrating = { client: pg.Client; missing: () => Promise<Migration[]> };

/** Runs `use` on a connection of its own. When the signal aborts, the connection is closed. */
async function withMigrations<Result>(
  url: string,
  { directory, signal }: Pick<MigrateOptions, "directory" | "signal">,
  use: (migrating: Migrating) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const migrations = await readMigrations(directory);
  const [first] = migrations;
  const earlier = first && (await readEarlier(first, directory));
  const { Client, config, prepare } = patientSession(url);
  const client = new Client({ ...config, application_name: "migrate" });
  // The statement that runs fails too.
  client.on("error", () => undefined);
  const end = () => void client.end();
  await client.connect();
  signal?.addEventListener("abort", end);
  try {
    await prepare(client);
    // PostgreSQL then ends the statement of a process that was killed. Not all systems can.
    await client.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
    await checkEncoding(client);
    const missing = async () => missingSteps(migrations, earlier, await readApplied(client));
    return await use({ client, missing });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    await client.end();
  }
}

/** Waits until no other process migrates. The end of the connection releases the lock. */
async function lockMigrations(client: pg.Client, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS mine", [lock]);
    if (rows[0]?.mine === true) return;
    await pause(lockMs, undefined, { signal });
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
