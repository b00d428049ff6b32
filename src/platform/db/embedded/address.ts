import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, superuser } from "./cluster.ts";

/** The address of the cluster's socket, which the system limits to about a hundred bytes. */
export function clusterAddress({ data, password }: Cluster): { url: string; close: () => void } {
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
