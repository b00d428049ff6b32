import type { Deps } from "../kernel/request/deps.ts";
import { readOnlyDatabase } from "../platform/db/database-errors.ts";
import { unavailable } from "../platform/errors.ts";

/**
 * Throws 503 with the reason why this process should get no calls now.
 *
 * A storage that is only almost full refuses files, and nothing else: `/api/v1/health` says so.
 */
export async function checkReady({ stopping, ...checks }: Deps): Promise<void> {
  if (stopping() !== false) throw unavailable("shutting_down", "The service is shutting down.");
  const [database, storage] = await Promise.all([
    checks.databaseState(),
    checks.storageState(),
    checks.checkSchema(),
  ]);
  if (database === "read_only") throw readOnlyDatabase();
  if (storage === "unreachable")
    throw unavailable("storage_unavailable", "The file storage cannot be written.");
}
