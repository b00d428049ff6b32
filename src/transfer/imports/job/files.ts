import type { Deps } from "../../../kernel/request/deps.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { newStorageKey } from "../../../platform/storage/store.ts";

type ImportRef = { id: bigint; workspaceId: bigint };

/**
 * Reserves storage keys for files of an import, so that the sweep finds the files; returns them.
 */
export async function reserveFiles(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { id, workspaceId }: ImportRef,
  count = 1,
): Promise<string[]> {
  const keys = Array.from({ length: count }, newStorageKey);
  const rows = keys.map((storageKey) => {
    return { importId: id, workspaceId, storageKey, createdAt: now };
  });
  await insertRows(query, "import_files", rows);
  return keys;
}

/** Whether a file is reserved: stored, and no attachment's yet. */
export async function isReserved(query: Query, key: string): Promise<boolean> {
  const rows = await query(sql`SELECT 1 FROM import_files WHERE "storageKey" = ${key}`);
  return rows.length > 0;
}

/** Ends the reservation of files, in the transaction that stores their keys elsewhere. */
export async function completeFiles(query: Query, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await query(sql`DELETE FROM import_files WHERE "storageKey" = ANY(${keys}::text[])`);
}

/** Removes files that imports `i` have reserved: of the rows `f` those that are `selected`. */
export async function discardImportFiles(
  { db, files, log }: Pick<Deps, "db" | "files" | "log">,
  selected: Sql,
): Promise<void> {
  try {
    const rows = await db.read<{ storageKey: string }>(sql`
      SELECT f."storageKey" FROM import_files f JOIN imports i ON i.id = f."importId"
      WHERE ${selected}`);
    const keys = rows.map(({ storageKey }) => storageKey);
    // The file goes first: a row without a file does no harm.
    for (const key of keys) await files.remove(key);
    await completeFiles(db.write, keys);
  } catch (error) {
    log.warn({ err: error }, "files of an import are left to the purge");
  }
}
