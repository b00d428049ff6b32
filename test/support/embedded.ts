import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { type Embedded, startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { type Program, run } from "./program.ts";

/** A log without output. */
export const silent = pino({ level: "silent" });

/** The data directory of PostgreSQL in a DATA_DIR. */
export const dataOf = (dataDir: string) => join(dataDir, "postgres", "data");

/** Starts an embedded database in this process; it stops at the end of the test. */
export async function start(dataDir: string, log = silent): Promise<Embedded> {
  const database = await startEmbedded({ dataDir, log });
  onTestFinished(() => database.stop());
  return database;
}

/** Starts a service with an embedded database in another process. */
export function serve(dataDir: string): Program {
  const program = run(new URL("../crash/service.ts", import.meta.url), dataDir);
  onTestFinished(() => program.kill());
  return program;
}

/** Runs one statement over a connection of its own. */
export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
