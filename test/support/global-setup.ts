import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { findServer } from "../../src/platform/db/embedded/process.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { scratchDirectory, sweepScratch, throwaway } from "../../src/platform/db/scratch.ts";
import { at } from "./database.ts";

const template = "board_template";

/** Starts one PostgreSQL for the whole run, with a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepScratch();
  const dataDir = await scratchDirectory();
  const log = pino({ level: "error" });
  const settings = {
    ...throwaway,
    max_connections: "300",
    max_prepared_transactions: "20",
    max_wal_size: "4GB",
    autovacuum: "off",
    // Most statements of a test run a few times only: planning them would cost more than running
    // them.
    jit: "off",
    plan_cache_mode: "force_generic_plan",
  };
  const database = await startEmbedded({ dataDir, log, settings });
  const server = await findServer(join(dataDir, "postgres", "data"));

  // Ctrl-C leaves time for this only. After kill -9 the next run removes the directory.
  const atExit = () => {
    if (server !== undefined) process.kill(server, "SIGQUIT");
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", atExit);
  const teardown = async () => {
    process.off("exit", atExit);
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
