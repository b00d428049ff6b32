import { existsSync } from "node:fs";
import { pino } from "pino";
import { rebuildSearch } from "../domain/search/rebuild.ts";
import { readConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { startDatabase } from "./database.ts";

// npm run search:rebuild: makes the words of all texts again, beside a running service.

const log = pino({ level: "error" });

async function rebuild(): Promise<number> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const database = await startDatabase(readConfig(), log);
  try {
    const db = await openDatabase(database.url, 1, log);
    let total = 0;
    await rebuildSearch(db, (count) => (total = count)).finally(() => db.close());
    return total;
  } finally {
    await database.stop();
  }
}

try {
  process.stdout.write(`The words of ${await rebuild()} boards and cards were made again.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
