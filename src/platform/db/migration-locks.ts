import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { migrationsDirectory } from "./migrations.ts";

/** A lock that a migration has when it ends, on a table that existed before. */
export type TableLock = {
  table: string;
  /** The strongest one, as PostgreSQL names it. */
  lock: string;
  /** Whether all rows are written again. */
  isRewritten: boolean;
  /** Whether all rows are read. */
  isScanned: boolean;
};

/** Locks that reads and row locks take too are left out. */
const observed = `SELECT c.oid::int, c.relname AS "table", pg_relation_filenode(c.oid)::int AS node,
    coalesce(s.seq_scan, 0)::int AS scans, l.lock
  FROM pg_class c LEFT JOIN pg_stat_xact_user_tables s ON s.relid = c.oid
  LEFT JOIN LATERAL (SELECT mode AS lock FROM pg_locks WHERE relation = c.oid AND granted
    AND pid = pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode NOT IN ('AccessShareLock', 'RowShareLock')
    ORDER BY array_position('{AccessExclusiveLock,ExclusiveLock,ShareRowExclusiveLock,ShareLock,
      ShareUpdateExclusiveLock,RowExclusiveLock}'::text[], mode) LIMIT 1) l ON true
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`;

type Observed = { oid: number; table: string; node: number; scans: number; lock: string | null };

/** Runs statements of a transaction, and reads what they have locked, rewritten and scanned. */
export async function observeLocks(
  client: pg.Client,
  run: () => Promise<unknown>,
): Promise<TableLock[]> {
  const look = async () => (await client.query<Observed>(observed)).rows;
  const before = new Map((await look()).map((row) => [row.oid, row]));
  await run();
  return (await look()).flatMap(({ oid, table, node, scans, lock }) => {
    const earlier = before.get(oid);
    if (earlier === undefined || lock === null) return [];
    const isRewritten = node !== earlier.node;
    return [{ table, lock, isRewritten, isScanned: scans > earlier.scans }];
  });
}

/** The file that says what each migration locks: a long test observes it while migrations run. */
export const locksFile = join(migrationsDirectory, "locks.txt");

/** Reads what a migration locks. */
export async function readLocks(): Promise<(migration: string) => TableLock[]> {
  const lines = (await readFile(locksFile, "utf8")).split("\n").map((line) => line.split(" "));
  return (migration) =>
    lines
      .filter(([name]) => name === migration)
      .map(([, table = "", lock = "", ...work]) => ({
        table,
        lock,
        isRewritten: work.includes("rewritten"),
        isScanned: work.includes("scanned"),
      }));
}

/** What others notice of a lock. */
export function describeLock({ table, lock, isRewritten, isScanned }: TableLock): string {
  const work = isRewritten
    ? "while the table is rewritten"
    : isScanned
      ? "while the table is read"
      : "for a moment";
  const waiting =
    lock === "AccessExclusiveLock"
      ? "reads and writes wait"
      : lock === "RowExclusiveLock"
        ? "writes of changed rows wait"
        : lock === "ShareUpdateExclusiveLock"
          ? "nothing waits"
          : "writes wait";
  return `${table}: ${waiting} ${work}`;
}
