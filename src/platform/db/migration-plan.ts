import type pg from "pg";
import { version } from "../version.ts";
import type { Earlier, Migration } from "./migrations.ts";

/** The checksums of the migrations that a database has, by name. */
type Applied = ReadonlyMap<string, string>;

/** Reads which migrations a database has; an empty map for a new database. */
export async function readApplied(client: pg.ClientBase): Promise<Applied> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (table.rows[0]?.name === null) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** The steps that a database lacks, in order. Throws if it cannot be upgraded. */
export function missingSteps(
  migrations: Migration[],
  earlier: Earlier | undefined,
  applied: Applied,
): Migration[] {
  const end = endOfService(new Set(migrations.map(({ name }) => name)), applied.keys());
  if (end !== undefined) throw new Error(end);
  const steps =
    earlier === undefined || isSince(migrations, applied)
      ? migrations
      : upgradeFrom(earlier, migrations, applied);
  const changed = steps.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  );
  if (changed !== undefined)
    throw new Error(
      `The migration ${changed.name} was changed after it was applied to this database. ` +
        "Restore the file and write a new migration. " +
        "A database without valuable data can be dropped.",
    );
  return steps.filter(({ name }) => !applied.has(name));
}

/** Whether a database was created by the first migration, or has what leads to it. */
const isSince = ([first]: Migration[], applied: Applied) =>
  first === undefined || applied.size === 0 || applied.has(first.name);

/** The steps of a database from before the first migration, which then counts as applied. */
function upgradeFrom(earlier: Earlier, migrations: Migration[], applied: Applied): Migration[] {
  const missing = earlier.released.find((name) => !applied.has(name));
  if (missing !== undefined)
    throw new Error(
      `This database is older than version 0.1.0: it lacks the migration ${missing}. ` +
        "Start version 0.1.0 or 0.2.0 on it once, and then this one. " +
        "If it belongs to another program, set DATABASE_URL to a database of its own.",
    );
  return [
    ...earlier.steps,
    ...migrations.map((migration, index) => (index === 0 ? { ...migration, sql: "" } : migration)),
  ];
}

/**
 * What to do if a newer version has ended service for this one; undefined if this one can serve.
 *
 * A migration whose name says `_needs_0_4_0_` ends service for versions before 0.4.0. All others keep
 * what the version before them reads and writes.
 */
export function endOfService(
  known: ReadonlySet<string>,
  applied: Iterable<string>,
  own = version,
): string | undefined {
  for (const name of applied) {
    const needed = /_needs_(\d+_\d+_\d+)(?:_|$)/.exec(name)?.[1]?.replaceAll("_", ".");
    if (needed !== undefined && !known.has(name) && isBefore(own, needed))
      return (
        `The database was migrated by a newer version, and needs version ${needed} or newer ` +
        `(${name}). This is ${own}: start a newer version, or restore the backup from before.`
      );
  }
  return undefined;
}

const numbers = (text: string) => text.split(/\D+/).map(Number);

/** Whether a version is older than another one. */
function isBefore(one: string, other: string): boolean {
  const others = numbers(other);
  const [mine, theirs] = numbers(one)
    .slice(0, 3)
    .map((number, index) => [number, others[index] ?? 0] as const)
    .find(([number, wanted]) => number !== wanted) ?? [0, 0];
  return mine < theirs;
}
