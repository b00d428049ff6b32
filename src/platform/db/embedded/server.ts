import { closeSync, constants, openSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { findPrograms } from "./binaries.ts";
import { chooseAccount, type Cluster, superuser } from "./cluster.ts";
import { type ServerUse, acquireServer, releaseServer } from "./server-use.ts";
import type { Server } from "./launch.ts";
import { openCluster } from "./open.ts";
import { completeShutdowns, restartWhenStopped } from "./restart.ts";

/** A database that this process uses; `owner` is true when this process started it. */
export type Embedded = {
  url: string;
  owner: boolean;
  /** Records that this process stops: a shutdown of the server may take as long as it does. */
  willStop: () => void;
  stop: () => Promise<void>;
};

/** The options of the embedded database. */
export type EmbeddedOptions = {
  dataDir: string;
  log: Logger;
  /** Aborts the start. */
  signal?: AbortSignal;
  /** Additional PostgreSQL settings. Tests switch `fsync` off. */
  settings?: Record<string, string>;
};

const stopLimit = 10_000;

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, or joins the one that another process runs there.
 * The last process that calls `stop` also stops the server.
 */
export async function startEmbedded({
  dataDir,
  log,
  signal,
  settings = {},
}: EmbeddedOptions): Promise<Embedded> {
  const began = performance.now();
  const stopping = new AbortController();
  const until = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  const { server, close } = await prepareServer(dataDir, settings, until);
  let use: ServerUse;
  try {
    use = await acquireServer(server, until);
  } catch (error) {
    close();
    throw error;
  }
  const owner = use.started;
  const { cluster, programs, account, url } = server;
  const ms = Math.round(performance.now() - began);
  log.info(
    { data: cluster.data, programs: programs.postgres, account: account.uid, ms },
    owner ? "embedded database started" : "embedded database joined: another process runs it",
  );
  const restarter = restartWhenStopped(server, use, log, stopping.signal);
  const leaving = new AbortController();
  void completeShutdowns(server, log, leaving.signal);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    leaving.abort();
    stopping.abort();
    stopped ??= restarter
      .current()
      .then(({ client }) => releaseServer(server, client, stopLimit))
      .then(
        (down) =>
          log.info(
            down
              ? "embedded database stopped"
              : "embedded database left running for other processes",
          ),
        (error: unknown) => log.warn({ err: error }, "embedded database not stopped cleanly"),
      )
      .finally(close);
    return stopped;
  };
  return { url, owner, willStop: () => leaving.abort(), stop };
}

/** Finds the programs, opens the cluster and its address; `close` closes the address. */
async function prepareServer(
  dataDir: string,
  settings: Record<string, string>,
  signal: AbortSignal,
): Promise<{ server: Server; close: () => void }> {
  const home = join(resolve(dataDir), "postgres");
  const account = await chooseAccount(home);
  const cacheDir =
    account.uid === undefined ? resolve(dataDir) : "/var/cache/workspace-board-service";
  const programs = await findPrograms(account, cacheDir);
  const flush = settings["fsync"] !== "off";
  const cluster = await openCluster(home, programs.initdb, account, { signal, flush });
  const address = clusterAddress(cluster);
  return {
    server: { cluster, programs, account, url: address.url, settings },
    close: () => address.close(),
  };
}

/** The address of the cluster's socket, which the system limits to about a hundred bytes. */
function clusterAddress({ data, password }: Cluster): { url: string; close: () => void } {
  const url = (directory: string) =>
    `postgresql://${superuser}:${password}@localhost/postgres` +
    `?host=${encodeURIComponent(directory)}`;
  const limit = process.platform === "linux" ? 107 : 103;
  if (Buffer.byteLength(join(data, ".s.PGSQL.5432")) <= limit)
    return { url: url(data), close: () => undefined };
  if (process.platform !== "linux")
    throw new Error(`${data} is too long a path for a socket: choose a shorter DATA_DIR.`);
  // An open directory has a short name in /proc, valid while this process runs.
  const directory = openSync(data, constants.O_RDONLY | constants.O_DIRECTORY);
  return { url: url(`/proc/${process.pid}/fd/${directory}`), close: () => closeSync(directory) };
}
