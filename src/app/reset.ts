import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { readConfig } from "../platform/config.ts";
import { findServer } from "../platform/db/embedded/process.ts";

// npm run reset: deletes the embedded database, the files and the secret in DATA_DIR.
// `--yes` does not ask. Nothing else in the directory is deleted.

const parts = ["postgres", "files", "app-secret"];

async function reset(): Promise<string> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { DATABASE_URL, DATA_DIR } = readConfig();
  if (DATABASE_URL !== undefined) {
    throw new Error("DATABASE_URL is set: reset deletes only the embedded database.");
  }
  const directory = resolve(DATA_DIR);
  const existing = parts.map((part) => join(directory, part)).filter((path) => existsSync(path));
  if (existing.length === 0) return `Nothing to delete in ${directory}.`;
  if ((await findServer(join(directory, "postgres", "data"))) !== undefined) {
    throw new Error("The service is running. Stop it first.");
  }
  await confirm(`Delete all data in ${directory}? Type yes: `);
  await Promise.all(existing.map((path) => rm(path, { recursive: true })));
  return `Deleted:\n${existing.map((path) => `  ${path}`).join("\n")}`;
}

/** Asks on the terminal; throws unless the answer is yes. */
async function confirm(question: string): Promise<void> {
  if (process.argv.includes("--yes")) return;
  if (!process.stdin.isTTY) {
    throw new Error("Nothing was deleted. Without a terminal, run `npm run reset -- --yes`.");
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const response = await terminal.question(question);
  terminal.close();
  if (response.trim() !== "yes") throw new Error("Nothing was deleted.");
}

try {
  process.stdout.write(`${await reset()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
