import { existsSync } from "node:fs";
import { pino } from "pino";
import { readConfig } from "../platform/config.ts";
import { describeLock, readLocks } from "../platform/db/migration-locks.ts";
import { migrate, pendingMigrations } from "../platform/db/migrate.ts";
import { startDatabase } from "./database.ts";

// `wbs migrate`: brings the database up to date, and ends. `--plan` lists what would be done.

const isJson = process.argv.includes("--json");
const isPlan = process.argv.includes("--plan");
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () =>
    stop.abort(new Error("Stopped. The migration that ran was rolled back.")),
  );

const print = (text: string) => void process.stdout.write(`${text}\n`);
const say = (text: string) => (isJson ? undefined : print(text));
const count = (names: string[]) =>
  names.length === 1 ? "1 migration" : `${names.length} migrations`;

/** Prints what would run, and what each step locks. */
async function plan(url: string): Promise<void> {
  const [names, locksOf] = [await pendingMigrations(url), await readLocks()];
  if (isJson) return print(JSON.stringify(names.map((name) => ({ name, locks: locksOf(name) }))));
  say(names.length === 0 ? "The database is up to date." : `${count(names)} would run.`);
  for (const name of names) {
    say(`\n${name}`);
    for (const lock of locksOf(name)) say(`  ${describeLock(lock)}`);
    if (locksOf(name).length === 0) say("  locks no table that exists");
  }
}

/** Migrates, and prints each step. */
async function run(url: string): Promise<void> {
  const names = await migrate(url, pino({ level: "silent" }), {
    signal: stop.signal,
    onStep: ({ name, step, of }) => say(`Step ${step} of ${of}: ${name}`),
  });
  if (isJson) print(JSON.stringify({ applied: names }));
  say(names.length === 0 ? "The database is up to date." : `${count(names)} applied.`);
}

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const database = await startDatabase(readConfig(), pino({ level: "error" }));
  await (isPlan ? plan : run)(database.url).finally(() => database.stop());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
