import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { findServer, alive } from "../../src/db/embedded-process.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { throwaway } from "../../src/db/scratch.ts";
import { at } from "./database.ts";

const prefix = "test-database-";
const template = "board_template";

/** Starts one PostgreSQL for the whole run, with a migrated database for the test files to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const log = pino({ level: "error" });
  const settings = { ...throwaway, max_connections: "300", max_wal_size: "4GB", autovacuum: "off" };
  const database = await startEmbedded({ dataDir, log, settings });
  const teardown = async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${template}`);
    await migrate(at(database.url, template), log);
    await admin.end();
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("database", { url: database.url, template });
  return teardown;
}

/** Clears away what a run that was killed has left behind. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || alive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    const dataDir = join(tmpdir(), name);
    const server = await findServer(join(dataDir, "postgres", "data"));
    if (server !== undefined) process.kill(server, "SIGQUIT");
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
