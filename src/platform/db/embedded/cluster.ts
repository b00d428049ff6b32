import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The account that PostgreSQL runs as, because it refuses root; empty for the current one. */
export type Account = { uid?: number; gid?: number };

/** A database cluster on disk: PostgreSQL owns `data`, the service owns the rest of `home`. */
export type Cluster = { home: string; data: string; password: string };

/** The name of the superuser of the embedded database. */
export const superuser = "service";

/** Chooses the account for a root process: the owner of the data, or `nobody` for new data. */
export async function chooseAccount(home: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(join(home, "data")).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [uid, gid] = (/^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(accounts) ?? [])
    .slice(1)
    .map((id) => Number(id) >>> 0);
  return { uid: uid ?? 65_534, gid: gid ?? 65_534 };
}

/** The name of the data directory for a program whose working directory it is. */
export const dataArgument = (data: string) =>
  // The account of PostgreSQL may lack access to a parent directory of the data.
  process.platform === "linux" && process.getuid?.() === 0 ? "/proc/self/cwd" : data;
