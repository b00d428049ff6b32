import type { UnitOfWork } from "../../kernel/unit-of-work.ts";
import type { Deps } from "../../kernel/deps.ts";
import { newKey } from "../../platform/storage/store.ts";

/** Notes files that are about to be stored for an import, so that whatever becomes of it they are known; answers their keys. */
export async function expectFiles(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  of: { id: bigint; workspaceId: bigint },
  count = 1,
): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  await query(
    `INSERT INTO import_files ("importId", "workspaceId", "storageKey", "createdAt")
     SELECT $1::bigint, $2::bigint, key, $3::timestamptz FROM unnest($4::text[]) AS key`,
    [of.id, of.workspaceId, now, keys],
  );
  return keys;
}

/** Hands files over to whoever keeps them from now on, in the transaction that says so. */
export async function handOver(
  { query }: Pick<UnitOfWork, "query">,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await query(`DELETE FROM import_files WHERE "storageKey" = ANY($1::text[])`, [keys]);
}

/** Removes files that an import does not need (any more), `all` of its own unless some are named: first what is stored, then the note of it. */
export async function dropFiles(
  { db, files, log }: Pick<Deps, "db" | "files" | "log">,
  importId: bigint,
  keys: string[] | null = null,
): Promise<void> {
  try {
    const rows = await db.read<{ storageKey: string }>(
      `SELECT "storageKey" FROM import_files WHERE "importId" = $1 AND ($2::text[] IS NULL OR "storageKey" = ANY($2))`,
      [importId, keys],
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
    `SELECT status IN ('completed', 'failed', 'cancelled') AS ended FROM imports WHERE id = $1`,
    [importId],
  );
  if (row?.ended === true) await dropFiles(deps, importId);
}
