import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { WaitLimits } from "../../src/platform/db/database.ts";

declare module "vitest" {
  // An administrator's address of each worker's PostgreSQL, the name of the migrated database, and
  // the data of a service that was never used.
  interface ProvidedContext {
    database: { urls: string[]; template: string; serviceData: string };
  }
}

/** A database for one app. */
export type FreshDatabase = { url: string; drop: () => Promise<void> };

/**
 * How long the databases of tests wait for a statement, a transaction or a connection, in ms.
 *
 * As long as in production, a machine that stands still for seconds would fail any test.
 */
export const longWaitMs = 20_000;

/** How long calls wait for a connection, and for how long others may wait to read an export. */
export const longWaits: WaitLimits = {
  waitMs: longWaitMs,
  slowReaders: { pauseMs: longWaitMs, totalMs: 10 * longWaitMs, idleMs: 10 * longWaitMs },
};

/** An administrator's address of this worker's PostgreSQL. */
export function serverUrl(): string {
  const { urls } = inject("database");
  // Vitest numbers the workers that run at the same time from 1.
  const url = urls[(Number(process.env["VITEST_POOL_ID"]) - 1) % urls.length];
  if (url === undefined) throw new Error("A worker without a number has no database.");
  return url;
}

/** The address of another database on the same server. */
export function at(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Creates a database: a copy of the migrated template, or an `empty` one. */
export async function freshDatabase({
  empty = false,
}: { empty?: boolean } = {}): Promise<FreshDatabase> {
  const { template } = inject("database");
  const url = serverUrl();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(
    url,
    `CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : template} STRATEGY file_copy`,
  );
  return {
    url: patient(at(url, name)),
    drop: () => administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** An address whose sessions wait as long. */
export function patient(url: string): string {
  const address = new URL(url);
  const names = ["statement_timeout", "idle_in_transaction_session_timeout"];
  const options = names.map((name) => `-c ${name}=${longWaitMs}`).join(" ");
  address.searchParams.set("options", options);
  return address.href;
}

/** Runs something while a database accepts no connection and has lost those that it had. */
export async function duringOutage<Result>(
  { url }: { url: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const name = new URL(url).pathname.slice(1);
  const server = serverUrl();
  await administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  try {
    await administer(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    return await run();
  } finally {
    await administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
