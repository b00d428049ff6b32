import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Who PostgreSQL runs as, since it refuses to be root; empty when that is ourselves. */
export type Account = { uid?: number; gid?: number };

/** A directory of databases on disk: `data` is PostgreSQL's, the rest of `home` is ours. */
export type Cluster = { home: string; data: string; password: string };

/** The name of the superuser of the embedded database. */
export const superuser = "service";

/** Chooses the owner of the data, or `nobody` for data yet to be made, when we are root. */
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

/** What to call the data directory when talking to a program whose working directory it is. */
export const dataArgument = (data: string) =>
  // As root, PostgreSQL runs as an account that may lack access to the parent directories.
  process.platform === "linux" && process.getuid?.() === 0 ? "/proc/self/cwd" : data;
