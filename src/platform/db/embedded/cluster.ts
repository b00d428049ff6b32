import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The account that PostgreSQL runs as, because it refuses root; empty for the current one. */
export type Account = { uid?: number; gid?: number };

/** A database cluster on disk: PostgreSQL owns `data`, the service owns the rest of `home`. */
export type Cluster = { home: string; data: string; password: string };

/** The name of the superuser of the embedded database. */
export const superuser = "service";

const ownAccount = "wbs-postgres";

/**
 * Chooses the account for a root process: the owner of the data; for new data an account of its
 * own, which is created if necessary, or `nobody` where no account can be created.
 *
 * Other programs run as `nobody` too, and could read the data.
 */
export async function chooseAccount(home: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(join(home, "data")).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await findAccount(ownAccount)) ?? (await createAccount());
  return account ?? (await findAccount("nobody")) ?? { uid: 65_534, gid: 65_534 };
}

async function findAccount(name: string): Promise<Account | undefined> {
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = accounts.split("\n").find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** Creates the account with the system's own program; undefined where that fails. */
async function createAccount(): Promise<Account | undefined> {
  if (process.platform !== "linux") return undefined;
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"];
  await promisify(execFile)("useradd", [...options, ownAccount]).catch(() => undefined);
  return findAccount(ownAccount);
}

/** The name of the data directory for a program whose working directory it is. */
export const dataArgument = (data: string) =>
  // The account of PostgreSQL may lack access to a parent directory of the data.
  process.platform === "linux" && process.getuid?.() === 0 ? "/proc/self/cwd" : data;
