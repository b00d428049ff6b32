import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { addressOf } from "./address.ts";
import { findPrograms } from "./binaries.ts";
import { chooseAccount } from "./cluster.ts";
import { type Hold, hold, release } from "./hold.ts";
import type { Server } from "./launch.ts";
import { openCluster } from "./open.ts";

/** A database that this process uses; `owner` is true when this process started it. */
export type Embedded = { url: string; owner: boolean; stop: () => Promise<void> };

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
  const home = join(resolve(dataDir), "postgres");
  const account = await chooseAccount(home);
  const cacheDir =
    account.uid === undefined ? resolve(dataDir) : "/var/cache/workspace-board-service";
  const programs = await findPrograms(account, cacheDir);
  const flush = settings["fsync"] !== "off";
  const cluster = await openCluster(home, programs.initdb, account, { signal: until, flush });
  const address = addressOf(cluster);
  const server: Server = { cluster, programs, account, url: address.url, settings };

  let held: Hold;
  try {
    held = await hold(server, until);
  } catch (error) {
    address.close();
    throw error;
  }
  const owner = held.started;
  log.info(
    {
      data: cluster.data,
      programs: programs.postgres,
      account: account.uid,
      ms: Math.round(performance.now() - began),
    },
    owner ? "embedded database started" : "embedded database joined: another process runs it",
  );

  let reviving: Promise<void> = Promise.resolve();
  const watch = () =>
    held.client.once("end", () => {
      if (!stopping.signal.aborted) reviving = revive();
    });
  const revive = async () => {
    log.warn("the embedded database stopped: restarting it");
    while (!stopping.signal.aborted) {
      try {
        held = await hold(server, stopping.signal);
        watch();
        log.info("the embedded database is running again");
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, "the embedded database is not running yet");
        await delay(1000, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  watch();

  const stop = async () => {
    if (stopping.signal.aborted) return reviving;
    stopping.abort();
    const revived = reviving;
    reviving = revived
      .then(() => release(server, held.client, stopLimit))
      .then(
        (down) =>
          log.info(
            down
              ? "embedded database stopped"
              : "embedded database left running for other processes",
          ),
        (error: unknown) => log.warn({ err: error }, "embedded database not stopped cleanly"),
      )
      .finally(() => address.close());
    return reviving;
  };
  return { url: address.url, owner, stop };
}
