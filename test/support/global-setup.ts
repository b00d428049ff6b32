import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { findServer } from "../../src/platform/db/embedded/process.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { scratchDirectory, throwaway } from "../../src/platform/db/scratch.ts";
import { databaseDirectory } from "./database-directory.ts";
import { at } from "./database.ts";

const template = "board_template";
const log = pino({ level: "error" });
const settings = {
  ...throwaway,
  max_connections: "300",
  max_prepared_transactions: "20",
  max_wal_size: "1GB",
  autovacuum: "off",
  // Most statements of a test run a few times only: planning them would cost more than running
  // them.
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

/**
 * Starts one PostgreSQL for each worker, with a migrated template database.
 *
 * Events wait for older transactions of all databases of a server. On a shared server the
 * transactions of one worker's tests would delay the events of another's.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startsServices = project.config.include.some((pattern) => pattern.includes("crash"));
  const workers = Math.max(1, project.config.maxWorkers);
  const servers = workers + Number(startsServices);
  const parent = await databaseDirectory(servers);
  const [first, ...others] = await Promise.all(
    Array.from({ length: servers }, () => scratchDirectory(parent)),
  );
  const dataDirs = [first ?? "", ...others];
  const remove = () =>
    Promise.all(dataDirs.map((dataDir) => rm(dataDir, { recursive: true, force: true })));
  try {
    await createCluster(dataDirs[0] ?? "", startsServices);
    const copy = promisify(execFile);
    // With the owners of the files.
    await Promise.all(others.map((other) => copy("cp", ["-Rp", `${first}/.`, other])));
  } catch (error) {
    await remove();
    throw error;
  }
  // The last one is for services that tests start: each gets a copy.
  const [serviceData = ""] = dataDirs.slice(workers);
  const databases = await Promise.all(dataDirs.slice(0, workers).map((dataDir) => start(dataDir)));
  const processes = await Promise.all(
    dataDirs.map((dataDir) => findServer(join(dataDir, "postgres", "data"))),
  );

  // Ctrl-C leaves time for this only. After kill -9 the next run removes the directories.
  const atExit = () => {
    for (const server of processes) if (server !== undefined) process.kill(server, "SIGQUIT");
    for (const dataDir of dataDirs)
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", atExit);
  project.provide("database", { urls: databases.map(({ url }) => url), template, serviceData });
  return async () => {
    process.off("exit", atExit);
    await Promise.all(databases.map((database) => database.stop()));
    await remove();
  };
}

const start = (dataDir: string) => startEmbedded({ dataDir, log, settings });

/** Creates a cluster with the template database and, for services, theirs; stops its server. */
async function createCluster(dataDir: string, startsServices: boolean): Promise<void> {
  const database = await start(dataDir);
  try {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${template}`);
    await migrate(at(database.url, template), log);
    if (startsServices) await migrate(database.url, log);
    await admin.end();
  } finally {
    await database.stop();
  }
}
