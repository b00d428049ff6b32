import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Programs } from "./embedded-binaries.ts";
import { type Account, type Cluster, dataArgument } from "./embedded-cluster.ts";
import { clearStalePid, findServer } from "./embedded-process.ts";

/** All that it takes to start the server of a cluster and to connect to it. */
export type Server = {
  cluster: Cluster;
  programs: Programs;
  account: Account;
  url: string;
  settings: Record<string, string>;
};

/** A connection that is held as long as we use the server; `started` says whether we started it. */
export type Hold = { client: pg.Client; started: boolean };

const poll = 15;
const patience = 60_000;
// Held shared by every service that uses the server; whoever gets it for itself alone may stop the server.
const inUse = "1701667186, 1";

const fixedSettings = {
  listen_addresses: "",
  // Relative to the data directory, so that its path may have any length.
  unix_socket_directories: ".",
  port: "5432",
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // What a statement did wrong is its caller's to log; the file is for the server's own life.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** Connects to the server of the cluster, which it starts when none runs yet. */
export async function hold(server: Server, signal: AbortSignal): Promise<Hold> {
  let launched: Launched | undefined;
  let giveUp = Date.now() + patience;
  try {
    for (;;) {
      signal.throwIfAborted();
      const answer = await knock(server.url);
      if (answer instanceof pg.Client) return { client: answer, started: launched?.running() ?? false };
      if (answer === "recovering") giveUp = Date.now() + patience;
      const free = answer === "down" && !launched?.running();
      if (free && !(await findServer(server.cluster.data))) {
        await launched?.complain();
        launched = await launch(server);
      }
      if (Date.now() > giveUp)
        throw new Error(`The embedded database in ${server.cluster.data} does not answer.`);
      await delay(poll, undefined, { signal });
    }
  } catch (error) {
    await launched?.stop();
    throw error;
  }
}

/** Gives the connection back, and stops the server when nobody else uses it; says whether it did. */
export async function release(server: Server, client: pg.Client, limit: number): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${inUse})`);
    const { rows } = await client.query<{ alone: boolean }>(
      `SELECT pg_try_advisory_lock(${inUse}) AS alone`,
    );
    const pid = await findServer(server.cluster.data);
    if (rows[0]?.alone !== true || pid === undefined) return false;
    // SIGINT is what PostgreSQL calls a fast shutdown: sessions end, everything is written, no recovery later.
    process.kill(pid, "SIGINT");
    const giveUp = Date.now() + limit;
    while (await findServer(server.cluster.data)) {
      if (Date.now() > giveUp) throw new Error("The embedded database takes too long to stop.");
      await delay(poll);
    }
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function knock(url: string): Promise<pg.Client | "down" | "busy" | "recovering"> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    application_name: "embedded-hold",
  });
  // Without a listener a lost connection would end the process; whoever holds it listens to "end".
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock_shared(${inUse}) AS held`,
    );
    if (rows[0]?.held === true) return client;
    await client.end();
    return "busy";
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^57P/.test(code)) return "recovering";
    if (/^53/.test(code)) return "busy";
    if (code === "" || /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code)) return "down";
    throw error;
  }
}

type Launched = { running(): boolean; complain(): Promise<void>; stop(): Promise<void> };

async function launch({ cluster, programs, account, settings }: Server): Promise<Launched> {
  await clearStalePid(cluster.data);
  const log = join(cluster.home, "log");
  const before = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (before > 1_000_000) await truncate(log);
  const output = openSync(log, "a", 0o600);
  const options = Object.entries({ ...fixedSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  // Detached: Ctrl-C in a terminal is for us, and what we still have to finish needs the database.
  const child = spawn(programs.postgres, ["-D", dataArgument(cluster.data), ...options], {
    ...account,
    cwd: cluster.data,
    env: {},
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  child.unref();
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  const running = () =>
    failure === undefined && child.exitCode === null && child.signalCode === null;
  return {
    running,
    async complain() {
      const said = (await readFile(log, "utf8")).slice(before > 1_000_000 ? 0 : before).trim();
      // Another service was faster, or the last processes of a killed server are still going: worth another try.
      if (failure === undefined && /lock file|pre-existing shared memory|^$/.test(said)) return;
      if (failure === undefined && (child.signalCode !== null || child.exitCode === 0)) return;
      throw new Error(`The embedded database in ${cluster.data} does not start: ${said}`, {
        cause: failure,
      });
    },
    async stop() {
      if (!running()) return;
      child.ref();
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}
