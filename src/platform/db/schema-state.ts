import { unavailable } from "../errors.ts";
import { sqlState } from "./database-errors.ts";
import type { ReadDatabase } from "./database.ts";
import { endOfService } from "./migration-plan.ts";
import { readMigrationNames } from "./migrations.ts";
import { sql } from "./sql.ts";

const appliedNames = sql`SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** A check that throws 503 unless this version can serve the schema that the database has now. */
export function createSchemaCheck({ read }: Pick<ReadDatabase, "read">): () => Promise<void> {
  const names = readMigrationNames();
  names.catch(() => undefined);
  return async () => {
    const known = await names;
    const rows = await read<{ name: string }>(appliedNames).catch((error: unknown) => {
      // There is no such table: nothing was ever applied.
      if (sqlState(error) === "42P01") return [];
      throw error;
    });
    const applied = new Set(rows.map(({ name }) => name));
    const missing = known.filter((name) => !applied.has(name));
    const problem =
      missing.length > 0
        ? "The database is older than this version. " +
          `Missing migrations: ${missing.length}. Run wbs migrate, or restart the service.`
        : endOfService(new Set(known), applied);
    if (problem !== undefined) throw unavailable("schema_unsupported", problem);
  };
}
