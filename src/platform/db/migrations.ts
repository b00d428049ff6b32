import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A migration; `checksum` equals the one that Prisma stores. */
export type Migration = { name: string; sql: string; checksum: string };

/** How databases from before the first migration get its schema. */
export type Earlier = {
  /** The migrations of the oldest version that can be upgraded. */
  released: string[];
  /** The migrations from there to the first one. */
  steps: Migration[];
};

/** The folder of the schema, beside both `src` and `dist`. */
export const prismaDirectory = fileURLToPath(new URL("../../../prisma/", import.meta.url));

/** The folder of the migrations. */
export const migrationsDirectory = join(prismaDirectory, "migrations");

const migration = (name: string, sql: string): Migration => {
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
};

/** Reads the names of all migrations, oldest first. */
export async function readMigrationNames(directory = migrationsDirectory): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** Reads all migrations, oldest first. */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const names = await readMigrationNames(directory);
  const read = (name: string) => readFile(join(directory, name, "migration.sql"), "utf8");
  return Promise.all(names.map(async (name) => migration(name, await read(name))));
}

/** Reads how older databases get the schema of the first migration, if its folder says so. */
export async function readEarlier(
  { name }: Migration,
  directory = migrationsDirectory,
): Promise<Earlier | undefined> {
  const file = join(directory, name, "from_0_1_0.sql");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [head = "", ...steps] = text.split(/^-- step: /m);
  return {
    released: [...head.matchAll(/^-- released: (\w+)$/gm)].map(([, released = ""]) => released),
    steps: steps.map((step) => {
      const end = step.indexOf("\n");
      return migration(step.slice(0, end), step.slice(end + 1));
    }),
  };
}
