import type { Deps } from "../../../kernel/request/deps.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";
import { newKey } from "../../../platform/storage/store.ts";

type ImportRef = { id: bigint; workspaceId: bigint };

/**
 * Reserves storage keys for files of an import, so that the sweep finds the files; returns them.
 */
export async function reserveFiles(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { id, workspaceId }: ImportRef,
  count = 1,
): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  const rows = keys.map((storageKey) => {
    return { importId: id, workspaceId, storageKey, createdAt: now };
  });
  await insertRows(query, "import_files", rows);
  return keys;
}

/** Ends the reservation of files, in the transaction that stores their keys elsewhere. */
export async function completeFiles(query: Query, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await query(sql`DELETE FROM import_files WHERE "storageKey" = ANY(${keys}::text[])`);
}

/** Removes files that an import has reserved: the named ones, or all. */
export async function discardFiles(
  { db, files, log }: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
  keys: string[] | null = null,
): Promise<void> {
  try {
    const rows = await db.read<{ storageKey: string }>(sql`
      SELECT "storageKey" FROM import_files WHERE "importId" = ${importId}
        AND (${keys}::text[] IS NULL OR "storageKey" = ANY(${keys}::text[]))`);
    // The file goes first: a row without a file does no harm.
    for (const { storageKey } of rows) await files.remove(storageKey);
    const removed = rows.map(({ storageKey }) => storageKey);
    await completeFiles(db.write, removed);
  } catch (error) {
    log.warn({ err: error }, "files of an import are left to the purge");
  }
}

/** Removes the files that earlier runs of an import have stored, other than its input. */
export async function discardEarlierFiles(
  deps: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
  inputKey: string,
): Promise<void> {
  const rows = await deps.db.read<{ storageKey: string }>(sql`
    SELECT "storageKey" FROM import_files
    WHERE "importId" = ${importId} AND "storageKey" <> ${inputKey}`);
  const keys = rows.map(({ storageKey }) => storageKey);
  if (keys.length > 0) await discardFiles(deps, importId, keys);
}

/** Removes the files of an import when it has ended. */
export async function discardFilesIfEnded(
  deps: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
): Promise<void> {
  const [row] = await deps.db.read<{ ended: boolean }>(sql`
    SELECT status IN ('completed', 'failed', 'cancelled') AS ended
    FROM imports WHERE id = ${importId}`);
  if (row?.ended === true) await discardFiles(deps, importId);
}
