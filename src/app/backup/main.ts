import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig, type Config } from "../../platform/config.ts";
import { scratchDirectory } from "../../platform/db/scratch.ts";
import { startDatabase } from "../database.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";
import { saveBackup } from "./save.ts";

// `wbs backup` and `wbs restore`. `restore --check` restores into a database that is thrown away.

const [command = "", folder = "", ...options] = process.argv.slice(2);
const isJson = options.includes("--json");
const done = { backup: "Saved", restore: "Restored", check: "The backup can be restored:" };

/** Runs something with the database of the settings. */
async function withDatabase(config: Config, run: (url: string) => Promise<Manifest>) {
  const database = await startDatabase(config, pino({ level: "error" }));
  return run(database.url).finally(() => database.stop());
}

async function check(config: Config): Promise<Manifest> {
  const scratch = await scratchDirectory();
  const storage = { kind: "disk" as const, root: join(scratch, "files") };
  const aside = { ...config, DATABASE_URL: undefined, DATA_DIR: scratch, STORAGE_URL: storage };
  return withDatabase(aside, (url) => restoreBackup(url, aside, folder)).finally(() =>
    rm(scratch, { recursive: true, force: true, maxRetries: 5 }),
  );
}

function report(manifest: Manifest, what: keyof typeof done): string {
  if (isJson) return JSON.stringify(manifest);
  const { tables, files, missingFiles, takenAt } = manifest;
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const withFiles = files === null ? "no files" : `${files} files`;
  const lines = [`${done[what]} ${rows} rows and ${withFiles}, as of ${takenAt}.`];
  if (missingFiles.length > 0)
    lines.push(`The storage did not have ${missingFiles.length} files that rows name.`);
  return lines.join("\n");
}

const withFiles = !options.includes("--without-files");
/** What is done, by its name. */
const actions = {
  backup: (config: Config) =>
    withDatabase(config, (url) => saveBackup(url, config, { folder, withFiles })),
  restore: (config: Config) => withDatabase(config, (url) => restoreBackup(url, config, folder)),
  check,
};

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const isCheck = options.includes("--check");
  const what = command === "backup" ? "backup" : isCheck ? "check" : "restore";
  process.stdout.write(`${report(await actions[what](readConfig()), what)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
