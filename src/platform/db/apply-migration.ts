import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import type { Migration } from "./migrations.ts";
import { observeLocks, type TableLock } from "./migration-locks.ts";

/** How a migration is applied. */
export type ApplyOptions = {
  log: Logger;
  signal?: AbortSignal | undefined;
  /** Is told the locks that a migration has when it ends. */
  onLocks?: ((name: string, locks: TableLock[]) => void) | undefined;
};

/**
 * How long a migration waits for a table, and then before it tries again.
 *
 * While it waits, all others wait behind it, even for a single read of an export.
 */
const lockTimeout = "1s";
const againMs = 2_000;

/** Applies a migration, and records it. Waits for tables that others use. */
export async function apply(
  client: pg.Client,
  migration: Migration,
  { log, signal, onLocks }: ApplyOptions,
): Promise<void> {
  const index = concurrentIndex(migration);
  if (index !== undefined) {
    const table = await createIndex(client, migration, index);
    const lock = { lock: "ShareUpdateExclusiveLock", isRewritten: false, isScanned: true };
    return onLocks?.(migration.name, [{ table, ...lock }]);
  }
  for (;;) {
    try {
      const locks = await inTransaction(client, migration, onLocks !== undefined);
      return onLocks?.(migration.name, locks);
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      if (!isBusy(error)) throw failed(migration, "was rolled back", error);
      log.warn({ migration: migration.name }, "the migration waits: its tables are in use");
      await pause(againMs, undefined, { signal });
    }
  }
}

/** Whether others had a table: a lock did not come in time, or was part of a deadlock. */
const isBusy = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(?:55P03|40P01)$/.test(error.code ?? "");

const failed = ({ name }: Migration, state: string, cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The migration ${name} failed and ${state}: ${reason}`, { cause });
};

async function inTransaction(client: pg.Client, migration: Migration, isObserved: boolean) {
  await client.query("BEGIN");
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  const run = () => client.query(migration.sql);
  const locks = isObserved ? await observeLocks(client, run) : (await run(), []);
  await record(client, migration);
  await client.query("COMMIT");
  return locks;
}

/** Records a migration as Prisma does, so that `prisma migrate status` knows it. */
async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  await client.query(
    `INSERT INTO _prisma_migrations
      (id, migration_name, checksum, started_at, finished_at, applied_steps_count)
    VALUES (gen_random_uuid(), $1, $2, transaction_timestamp(), clock_timestamp(), 1)`,
    [name, checksum],
  );
}

const concurrently = /\bINDEX\s+CONCURRENTLY\b/i;
const whole =
  /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:"([^"]+)"|(\w+))\s+ON\s[^;]+;?\s*$/i;

/** The index that a migration creates outside of a transaction, as its only statement. */
function concurrentIndex({ name, sql }: Migration): string | undefined {
  const statements = sql.replaceAll(/^[ \t]*--.*$/gm, "");
  if (!concurrently.test(statements)) return undefined;
  const [, quoted, plain] = whole.exec(statements) ?? [];
  const index = quoted ?? plain;
  if (index === undefined)
    throw new Error(
      `The migration ${name} may contain only one statement: CREATE INDEX CONCURRENTLY name ON …`,
    );
  return index;
}

/**
 * Creates an index while others write, and returns its table. What an interrupted attempt has left
 * is dropped first.
 */
async function createIndex(
  client: pg.Client,
  migration: Migration,
  index: string,
): Promise<string> {
  const name = client.escapeIdentifier(index);
  const look = async () => {
    const { rows } = await client.query<{ isValid: boolean; table: string }>(
      `SELECT indisvalid AS "isValid", indrelid::regclass::text AS "table"
      FROM pg_index WHERE indexrelid = to_regclass($1)`,
      [name],
    );
    return rows[0];
  };
  try {
    const isValid = (await look())?.isValid;
    if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    if (isValid !== true) await client.query(migration.sql);
    await record(client, migration);
    return (await look())?.table ?? "";
  } catch (cause) {
    throw failed(migration, "is repeated at the next start", cause);
  }
}
