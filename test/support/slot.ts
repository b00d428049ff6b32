import { pino, type Logger } from "pino";
import { openDatabase, type Database } from "../../src/platform/db/database.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { freshDatabase, longWaits } from "./database.ts";
import { statementOf } from "./statement-of.ts";

/** A migrated database without rows, with its open connections and the log of its app. */
export type Slot = {
  url: string;
  db: Database;
  log: Logger;
  /** The logged lines of level error and above. */
  errors: string[];
  /** The logged deadlocks. */
  deadlocks: string[];
  /** Empties the database for the next app; drops it when it cannot be emptied. */
  release(): Promise<void>;
};

type Made = Omit<Slot, "release"> & { drop: () => Promise<void>; size: number; seeds: string };

// A new database and new connections, which plan every statement anew, cost more than most tests.
const idle: Made[] = [];

/** Takes a database that a closed app of this worker has released, or creates one. */
export async function takeSlot(): Promise<Slot> {
  const made = idle.pop() ?? (await create());
  made.errors.length = 0;
  made.deadlocks.length = 0;
  return { ...made, release: () => release(made) };
}

async function create(): Promise<Made> {
  const { url, drop } = await freshDatabase();
  const errors: string[] = [];
  const deadlocks: string[] = [];
  const write = (line: string) => {
    const { level, err }: { level: string; err?: { code?: string } } = JSON.parse(line);
    if (err?.code === "40P01") deadlocks.push(line);
    else if (level !== "warn") errors.push(line);
  };
  const log = pino({ level: "warn", formatters: { level: (level) => ({ level }) } }, { write });
  const db = await openDatabase(url, 10, log, longWaits);
  return {
    url,
    db,
    log,
    errors,
    deadlocks,
    drop,
    size: await sizeOf(db),
    seeds: await seedsOf(db),
  };
}

async function release(made: Made): Promise<void> {
  const isReusable = await empty(made).catch(() => false);
  if (isReusable) return void idle.push(made);
  await made.db.close();
  await made.drop();
}

/** Deletes all rows but those of the migrations; answers whether the database is as after them. */
async function empty({ db, size, seeds }: Made): Promise<boolean> {
  if ((await sizeOf(db)) > size + growth || (await isAnalyzed(db))) return false;
  const statement = await deletionOf(db, Object.keys(JSON.parse(seeds)));
  await db.transact(async (_, query) => {
    // Without triggers rows can be deleted in any order.
    await query(sql`SET LOCAL session_replication_role = replica`);
    await query(statement);
  });
  return (await seedsOf(db)) === seeds;
}

let deletion: Sql | undefined;

/** One statement that empties all tables but the seeded ones, and restarts the sequences. */
async function deletionOf(db: Database, seeded: string[]): Promise<Sql> {
  if (deletion !== undefined) return deletion;
  const tables = (await tablesOf(db)).filter((table) => !seeded.includes(table));
  const deletes = tables.map((table, index) => `d${index} AS (DELETE FROM "${table}")`);
  return (deletion = statementOf(`WITH ${deletes.join(", ")}
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    FROM pg_sequences WHERE schemaname = 'public'`));
}

// Deleted rows still cost space and time; a database that has grown is not used again.
const growth = 4 * 2 ** 20;

async function sizeOf(db: Database): Promise<number> {
  const [row] = await db.read<{ size: bigint }>(
    sql`SELECT pg_database_size(current_database()) AS size`,
  );
  return Number(row?.size);
}

/** Whether a test ran ANALYZE: statistics of another app's rows lead to slow plans. */
async function isAnalyzed(db: Database): Promise<boolean> {
  const rows = await db.read(sql`SELECT FROM pg_stats WHERE schemaname = 'public' LIMIT 1`);
  return rows.length > 0;
}

const tablesOf = async (db: Database) =>
  (
    await db.read<{ name: string }>(
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    )
  ).map(({ name }) => name);

let fingerprint: Sql | undefined;

/** A fingerprint of the rows that the migrations insert, by table. */
async function seedsOf(db: Database): Promise<string> {
  fingerprint ??= statementOf(
    (await tablesOf(db))
      .map(
        (table) => `SELECT '${table}' AS name, count(*) || ' '
          || coalesce(sum(xmin::text::bigint), 0) AS print FROM "${table}"`,
      )
      .join(" UNION ALL "),
  );
  const rows = await db.read<{ name: string; print: string }>(fingerprint);
  return JSON.stringify(
    Object.fromEntries(rows.flatMap((row) => (row.print === "0 0" ? [] : [[row.name, row.print]]))),
  );
}
