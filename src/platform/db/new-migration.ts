import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sources } from "./schema-drift.ts";
import { migrate } from "./migrate.ts";
import { schemaDifferences, withScratch } from "./scratch.ts";

// npm run db:migration -- <name>: writes a migration from the newest one to schema.prisma.
const name = process.argv
  .slice(2)
  .join("_")
  .toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, "_")
  .replaceAll(/^_+|_+$/g, "");

if (name === "") {
  process.stderr.write("Give the migration a name: npm run db:migration -- add-due-dates\n");
  process.exitCode = 1;
} else {
  const schema = await readFile(sources.schema, "utf8");
  const sql = await withScratch(async (url, log) => {
    await migrate(url, log);
    return schemaDifferences(url, "sql", schema);
  });
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const directory = join(sources.migrations, `${stamp}_${name}`);
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, "migration.sql"),
    sql === ""
      ? "-- schema.prisma asks for nothing: what follows is written by hand.\n"
      : `${sql}\n`,
  );
  await writeFile(join(sources.migrations, "migration_lock.toml"), 'provider = "postgresql"\n');
  process.stdout.write(
    `Wrote ${join(directory, "migration.sql")}.\n` +
      "Add by hand what Prisma cannot express (collations, partial and expression indexes,\n" +
      "checks, triggers),\n" +
      "then run: npm run db:check -- --write\n",
  );
}
