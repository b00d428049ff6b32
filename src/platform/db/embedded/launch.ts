import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Programs } from "./binaries.ts";
import { type Account, type Cluster, dataArgument } from "./cluster.ts";
import { clearStalePid } from "./process.ts";

/** The programs, account and address of the server of a cluster. */
export type Server = {
  cluster: Cluster;
  programs: Programs;
  account: Account;
  url: string;
  settings: Record<string, string>;
};

const fixedSettings = {
  listen_addresses: "",
  // Relative to the data directory, because the length of a socket path is limited.
  unix_socket_directories: ".",
  port: "5432",
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // Callers log the errors of their statements. This file is for errors of the server.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** A started server. `throwFailure` throws when the server failed for a lasting reason. */
export type Launched = { running(): boolean; throwFailure(): Promise<void>; stop(): Promise<void> };

/** Starts the server of a cluster, without waiting until it accepts connections. */
export async function launch({ cluster, programs, account, settings }: Server): Promise<Launched> {
  await clearStalePid(cluster.data);
  const log = join(cluster.home, "log");
  const logSize = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (logSize > 1_000_000) await truncate(log);
  const output = openSync(log, "a", 0o600);
  const options = Object.entries({ ...fixedSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  // Detached: Ctrl-C stops the service first, which still needs the database.
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
    async throwFailure() {
      const messages = (await readFile(log, "utf8"))
        .slice(logSize > 1_000_000 ? 0 : logSize)
        .trim();
      // Another service was faster, or a killed server is still stopping: try again.
      if (failure === undefined && /lock file|pre-existing shared memory|^$/.test(messages)) return;
      if (failure === undefined && (child.signalCode !== null || child.exitCode === 0)) return;
      throw new Error(`The embedded database in ${cluster.data} does not start: ${messages}`, {
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
