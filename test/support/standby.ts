import { execFile } from "node:child_process";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { onTestFinished } from "vitest";
import { findPrograms, type Programs } from "../../src/platform/db/embedded/binaries.ts";
import { type Account, chooseAccount, superuser } from "../../src/platform/db/embedded/cluster.ts";
import { launch } from "../../src/platform/db/embedded/launch.ts";
import { openCluster } from "../../src/platform/db/embedded/open.ts";
import { killDatabase } from "../crash/service-process.ts";
import { freePort } from "./listen.ts";
import { temporaryDirectory } from "./temporary.ts";
import { waitFor, waitUntil } from "./wait.ts";

/** One of two servers, over TCP. */
export type PgServer = {
  /** `host:port`. */
  host: string;
  connect: () => Promise<pg.Client>;
  query: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Ends the server and its processes at once, as a crash of its machine would. */
  kill: () => Promise<void>;
};

/** A primary and its synchronous standby, with the name and the password of both. */
export type Pair = { primary: PgServer; standby: PgServer; user: string };

type Installed = { programs: Programs; account: Account };

/** Starts a primary, and a copy of it that follows and confirms each commit. */
export async function startPair(): Promise<Pair> {
  const dataDir = await temporaryDirectory();
  const account = await chooseAccount(join(dataDir, "postgres"));
  const programs = await findPrograms(account, "/var/cache/workspace-board-service");
  const installed = { programs, account };
  const options = { signal: new AbortController().signal, flush: false };
  const cluster = await openCluster(join(dataDir, "postgres"), programs.initdb, account, options);
  const { password } = cluster;
  const primary = await run(dataDir, password, installed);
  const copyDir = await copyOf(primary, dataDir, account);
  const [host, port] = primary.host.split(":");
  const standby = await run(copyDir, password, installed, {
    primary_conninfo: `host=${host} port=${port} user=${superuser} password=${password}`,
  });
  const states = () => primary.query("SELECT sync_state FROM pg_stat_replication");
  await waitUntil(async () => (await states()).length === 1);
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.query("SELECT pg_reload_conf()");
  await waitUntil(async () => (await states())[0]?.["sync_state"] === "sync");
  return { primary, standby, user: `${superuser}:${password}` };
}

/** Starts the server of a directory on a free port, and waits for it. */
async function run(
  dataDir: string,
  password: string,
  { programs, account }: Installed,
  more: Record<string, string> = {},
): Promise<PgServer> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const url = `postgresql://${superuser}:${password}@${host}/postgres`;
  const home = join(dataDir, "postgres");
  const settings = { listen_addresses: "127.0.0.1", port: String(port), ...more };
  const cluster = { home, data: join(home, "data"), password };
  const server = await launch({ cluster, programs, account, url, settings });
  const kill = async () => {
    await killDatabase(dataDir);
    await waitUntil(() => !server.running());
  };
  onTestFinished(kill);
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const query = async (sql: string) => {
    const client = await connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await waitFor(() => query("SELECT 1"));
  return { host, connect, query, kill };
}

/** Copies a running server to a new directory, as a standby. */
async function copyOf(primary: PgServer, dataDir: string, account: Account): Promise<string> {
  const copyDir = await temporaryDirectory();
  const data = join(copyDir, "postgres", "data");
  const label = await withBackup(primary, () =>
    promisify(execFile)("cp", ["-Rp", join(dataDir, "postgres"), copyDir]),
  );
  for (const name of ["postmaster.pid", "postmaster.opts"]) await rm(join(data, name));
  for (const [name, text] of [
    ["backup_label", label],
    ["standby.signal", ""],
  ] as const) {
    await writeFile(join(data, name), text);
    if (account.uid !== undefined && account.gid !== undefined)
      await chown(join(data, name), account.uid, account.gid);
  }
  return copyDir;
}

/** Copies during a backup, whose session has to live as long; returns its label. */
async function withBackup(primary: PgServer, copy: () => Promise<unknown>): Promise<string> {
  const client = await primary.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await copy();
    const { rows } = await client.query<{ label: string }>(
      "SELECT labelfile AS label FROM pg_backup_stop(false)",
    );
    return rows[0]?.label ?? "";
  } finally {
    await client.end();
  }
}
