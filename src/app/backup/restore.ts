import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import type { Config } from "../../platform/config.ts";
import { migrate } from "../../platform/db/migrate.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { openFiles } from "../../platform/storage/open.ts";
import { withSecret, secretState } from "../secret.ts";
import { appliedNames, inLongTransaction } from "./connection.ts";
import * as backup from "./manifest.ts";
import { filling, loadTable, readTables } from "./tables.ts";

/**
 * Restores a backup into a database that has no accounts yet, with its files and its secret. All
 * tables are there at once, or none.
 */
export async function restoreBackup(
  url: string,
  config: Config,
  folder: string,
): Promise<backup.Manifest> {
  const manifest = await backup.readManifest(folder);
  const found = (await filesIn(folder)).length;
  if (found !== (manifest.files ?? 0))
    throw new Error(`${folder} has ${found} files, and had ${manifest.files ?? 0}.`);
  await migrate(url, pino({ level: "silent" }));
  await inLongTransaction(url, "BEGIN READ ONLY", (query, client) =>
    checkTarget(query, client, manifest),
  );
  await restoreSecret(config, folder);
  const { APP_SECRET } = await withSecret(config);
  await restoreFiles(config, folder);
  await inLongTransaction(url, "BEGIN", async (query, client) => {
    const tables = await readTables(query);
    await filling(client, tables, async () => {
      for (const table of tables) {
        const count = await loadTable(client, table, backup.tableFile(folder, table.name));
        const expected = manifest.tables[table.name] ?? 0;
        if (count !== expected)
          throw new Error(`The table ${table.name} has ${count} rows, and had ${expected}.`);
      }
    });
    if ((await secretState(query, { ...config, APP_SECRET })) === "wrong")
      throw new Error(
        "APP_SECRET is not the secret of this backup. Set it to the one that the service had, or " +
          "to that one in APP_SECRET_PREVIOUS. Nothing was restored into the database.",
      );
  });
  // Plans of the first calls need them.
  await inLongTransaction(url, "BEGIN", (query) => query(sql.unprepared(sql`ANALYZE`)));
  return manifest;
}

const filesIn = (folder: string) => readdir(join(folder, "files"));

/** Throws unless a database has the schema of a backup and nobody's data. */
async function checkTarget(
  query: Query,
  client: pg.Client,
  manifest: backup.Manifest,
): Promise<void> {
  const [user] = await query(sql`SELECT 1 FROM users LIMIT 1`);
  if (user !== undefined)
    throw new Error("The database has accounts. Restore into an empty one: nothing is replaced.");
  const migrations = await appliedNames(client);
  if (migrations.join() !== manifest.migrations.join())
    throw new Error(
      `The backup is from version ${manifest.version}, with another schema. Restore it with that ` +
        "version, and then upgrade.",
    );
}

/** Puts the secret of a backup into the data directory, unless it has one or the settings do. */
async function restoreSecret({ APP_SECRET, DATA_DIR }: Config, folder: string): Promise<void> {
  const source = backup.secretFile(folder);
  if (APP_SECRET !== undefined || !existsSync(source)) return;
  const target = join(DATA_DIR, "app-secret");
  await mkdir(DATA_DIR, { recursive: true });
  const secret = await readFile(source, "utf8");
  const isNew = await writeFile(target, secret, { flag: "wx", mode: 0o600 }).then(
    () => true,
    () => false,
  );
  if (!isNew && (await readFile(target, "utf8")).trim() !== secret.trim())
    throw new Error(`${target} is another secret than the one of the backup. Move it away.`);
}

/** Stores the files of a backup; they have the keys that they had. */
async function restoreFiles(config: Config, folder: string): Promise<void> {
  const files = await openFiles(config);
  for (const key of await filesIn(folder)) {
    await files.put(key, createReadStream(backup.storedFile(folder, key)), Infinity);
  }
}
