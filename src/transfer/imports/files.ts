import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { newKey } from "../../platform/storage/store.ts";
import { sql } from "../../platform/db/sql.ts";

/** Notes files that are about to be stored for an import, so that whatever becomes of it they are known; answers their keys. */
export async function expectFiles(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  of: { id: bigint; workspaceId: bigint },
  count = 1,
): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  await query(
    sql`INSERT INTO import_files ("importId", "workspaceId", "storageKey", "createdAt")
     SELECT ${of.id}::bigint, ${of.workspaceId}::bigint, key, ${now}::timestamptz FROM unnest(${keys}::text[]) AS key`,
  );
  return keys;
}

/** Hands files over to whoever keeps them from now on, in the transaction that says so. */
export async function handOver(
  { query }: Pick<UnitOfWork, "query">,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await query(sql`DELETE FROM import_files WHERE "storageKey" = ANY(${keys}::text[])`);
}

/** Removes files that an import does not need (any more), `all` of its own unless some are named: first what is stored, then the note of it. */
export async function dropFiles(
  { db, files, log }: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
  keys: string[] | null = null,
): Promise<void> {
  try {
    const rows = await db.read<{ storageKey: string }>(
      sql`SELECT "storageKey" FROM import_files WHERE "importId" = ${importId} AND (${keys}::text[] IS NULL OR "storageKey" = ANY(${keys}))`,
    );
    for (const { storageKey } of rows) await files.remove(storageKey);
    await handOver(
      { query: db.write },
      rows.map(({ storageKey }) => storageKey),
    );
  } catch (error) {
    log.warn({ err: error }, "files of an import are left to the purge");
  }
}

/** Removes the files of an import that has ended; one that somebody goes on with keeps them. */
export async function dropIfEnded(
  deps: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
): Promise<void> {
  const [row] = await deps.db.read<{ ended: boolean }>(
    sql`SELECT status IN ('completed', 'failed', 'cancelled') AS ended FROM imports WHERE id = ${importId}`,
  );
  if (row?.ended === true) await dropFiles(deps, importId);
}
