import type { Deps } from "../../../kernel/request/deps.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { ImportContext } from "./context.ts";

/** What is read from a source: a part of the import, such as a board, and what of it. */
type ReadingKey = { part: string; key: string };

/** Finds the text that an earlier run of an import has read; undefined for nothing. */
export async function findReading(
  { deps, row }: ImportContext,
  { part, key }: ReadingKey,
): Promise<string | undefined> {
  const [reading] = await deps.db.read<{ value: string }>(sql`SELECT value FROM import_readings
    WHERE "importId" = ${row.id} AND part = ${part} AND key = ${key}`);
  return reading?.value;
}

/** How long the source took to send what is kept of a part, and how many characters are kept. */
export async function readingsOf({ deps, row }: ImportContext, part: string) {
  const [reading] = await deps.db.read<{ ms: number; size: number }>(sql`
    SELECT coalesce(sum(ms) FILTER (WHERE part = ${part}), 0)::int AS ms,
      coalesce(sum(length(value)), 0)::int AS size
    FROM import_readings WHERE "importId" = ${row.id}`);
  return reading ?? { ms: 0, size: 0 };
}

/**
 * Keeps what was read, so that the next run of the import does not read it again.
 *
 * It throws when the run must stop, or must give its worker to another account.
 */
export async function keepReading(
  context: ImportContext,
  { part, key, value, ms = 0 }: ReadingKey & { value: string; ms?: number },
): Promise<void> {
  const { deps, row } = context;
  await deps.db.write(sql`
    INSERT INTO import_readings ("importId", "workspaceId", part, key, value, ms)
    VALUES (${row.id}, ${row.workspaceId}, ${part}, ${key}, ${value}, ${Math.ceil(ms)}::int)
    ON CONFLICT DO NOTHING`);
  await context.advanced();
}

/** Deletes what was read for imports `i`: of the readings `r` those that are `selected`. */
export async function discardReadings({ db }: Pick<Deps, "db">, selected: Sql): Promise<void> {
  await db.write(sql`DELETE FROM import_readings r USING imports i
    WHERE i.id = r."importId" AND ${selected}`);
}
