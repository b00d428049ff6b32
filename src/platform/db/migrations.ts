import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A migration; `checksum` equals the one that Prisma stores. */
export type Migration = { name: string; sql: string; checksum: string };

/** The schema after all the migrations that it includes, as one script. */
export type Baseline = { sql: string; includes: string[] };

/** The folder of the schema, beside both `src` and `dist`. */
export const prismaDirectory = fileURLToPath(new URL("../../../prisma/", import.meta.url));

/** The folder of the migrations. */
export const migrationsDirectory = join(prismaDirectory, "migrations");

/** Reads all migrations, oldest first. */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(directory, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** The file of the baseline in a folder of migrations. */
export const baselineIn = (directory = migrationsDirectory): string =>
  join(directory, "baseline.sql");

/** Reads the baseline of a folder, if it has one. Its first lines name the migrations in it. */
export async function readBaseline(directory?: string): Promise<Baseline | undefined> {
  const sql = await readFile(baselineIn(directory), "utf8").catch(() => undefined);
  if (sql === undefined) return undefined;
  return { sql, includes: [...sql.matchAll(/^-- (\d{14}_\w+)$/gm)].map(([, name = ""]) => name) };
}
