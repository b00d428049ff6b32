import { createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../platform/config.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { openFiles } from "../../platform/storage/open.ts";
import { checkFreeSpace, minFreeBytes } from "../../platform/storage/free-space.ts";
import { isMissingFile, type Files } from "../../platform/storage/store.ts";
import { version } from "../../platform/version.ts";
import { loadSecret } from "../secret.ts";
import { appliedNames, inLongTransaction } from "./connection.ts";
import * as backup from "./manifest.ts";
import { readTables, saveTable } from "./tables.ts";

/** The files that rows name. */
const storageKeys = sql`SELECT "storageKey" AS key FROM attachments
    WHERE "storageKey" IS NOT NULL AND status = 'stored'
  UNION SELECT "storageKey" FROM import_files ORDER BY key`;

/**
 * Writes a backup into a new folder: all tables as they are at one moment, and the files that they
 * name. The service may run. The manifest is written last: a folder without it is no backup.
 */
export async function saveBackup(
  url: string,
  config: Config,
  { folder, withFiles }: { folder: string; withFiles: boolean },
): Promise<backup.Manifest> {
  await createEmpty(folder);
  const minFree = minFreeBytes(config);
  const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  const { keys, ...saved } = await inLongTransaction(url, begin, async (query, client) => {
    const [now] = await query<{ takenAt: Date }>(sql`SELECT now() AS "takenAt"`);
    const tables: Record<string, number> = {};
    for (const table of await readTables(query)) {
      const file = backup.tableFile(folder, table.name);
      tables[table.name] = await saveTable(client, table, { file, minFree });
    }
    return {
      takenAt: (now?.takenAt ?? new Date()).toISOString(),
      migrations: await appliedNames(client),
      tables,
      keys: withFiles ? await keysOf(query) : [],
    };
  });
  const missingFiles = await saveFiles(await openFiles(config), keys, { folder, minFree });
  const secret = config.APP_SECRET ?? (await loadSecret(config.DATA_DIR));
  // A secret of the environment is kept where the operator keeps it.
  if (config.APP_SECRET === undefined && secret !== undefined)
    await writeFile(backup.secretFile(folder), secret, { mode: 0o600 });
  const files = withFiles ? keys.length - missingFiles.length : null;
  const manifest: backup.Manifest = { format: 1, version, ...saved, files, missingFiles };
  await backup.writeManifest(folder, manifest);
  return manifest;
}

const keysOf = async (query: Query) =>
  (await query<{ key: string }>(storageKeys)).map(({ key }) => key);

/** Creates the folders of a backup; only their owner can read them. */
async function createEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
  for (const name of ["tables", "files"]) await mkdir(`${folder}/${name}`, { mode: 0o700 });
}

/** Copies files into a folder, and returns the keys of those that are gone. */
async function saveFiles(
  files: Files,
  keys: string[],
  { folder, minFree }: { folder: string; minFree: number },
): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) {
    await checkFreeSpace(folder, minFree);
    try {
      const source = Readable.fromWeb(await files.get(key));
      await pipeline(source, createWriteStream(backup.storedFile(folder, key), { mode: 0o600 }));
    } catch (error) {
      // It was removed after the snapshot, with what it was on; or it was lost before.
      if (!isMissingFile(error)) throw error;
      missing.push(key);
    }
  }
  return missing;
}
