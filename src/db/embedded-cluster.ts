import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { alive, exists } from "./embedded-process.ts";

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
  // As root we may run PostgreSQL under an account that cannot walk down to the directory, but may be put into it.
  process.platform === "linux" && process.getuid?.() === 0 ? "/proc/self/cwd" : data;

/** Opens the cluster at `home`, and makes it first when there is none. */
export async function openCluster(
  home: string,
  initdb: string,
  account: Account,
  { signal, flush }: { signal: AbortSignal; flush: boolean },
): Promise<Cluster> {
  const data = join(home, "data");
  if (!(await exists(join(data, "PG_VERSION")))) {
    await mkdir(dirname(home), { recursive: true });
    await sweep(home);
    await create(home, initdb, account, { signal, flush });
  }
  const password = await readFile(join(home, "password"), "utf8").catch((error: unknown) => {
    throw new Error(
      `The database in ${home} cannot be opened: it was made by another user, or is damaged.`,
      { cause: error },
    );
  });
  return { home, data, password: password.trim() };
}

/** Makes the cluster beside its place and renames it, so that nobody ever sees half of one. */
async function create(
  home: string,
  initdb: string,
  account: Account,
  { signal, flush }: { signal: AbortSignal; flush: boolean },
): Promise<void> {
  const draft = `${home}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const [data, password] = [join(draft, "data"), join(draft, "password")];
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await writeFile(password, `${randomBytes(24).toString("hex")}\n`, { mode: 0o600, flush });
    if (account.uid !== undefined && account.gid !== undefined) {
      await chown(data, account.uid, account.gid);
      await chown(password, account.uid, account.gid);
    }
    await runInitdb(initdb, data, password, account, signal, flush);
    await rename(draft, home).catch(async (error: unknown) => {
      // Another service that starts at the same time was faster, and made the very same thing.
      if (!(await exists(join(home, "data", "PG_VERSION")))) throw error;
    });
    if (flush) await flushDirectory(dirname(home));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(
  initdb: string,
  data: string,
  password: string,
  account: Account,
  signal: AbortSignal,
  flush: boolean,
): Promise<void> {
  const input = await open(password, "r");
  const child = spawn(
    initdb,
    [
      ...["-D", dataArgument(data), "-U", superuser, "--pwfile=/dev/stdin", "-A", "scram-sha-256"],
      ...["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      ...(flush ? [] : ["--no-sync"]),
    ],
    { ...account, cwd: data, env: {}, signal, stdio: [input.fd, "ignore", "pipe"] },
  );
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        if (code === 0) resolve();
        else reject(new Error(`initdb could not make a database in ${data}: ${complaint.trim()}`));
      });
    });
  } finally {
    await input.close();
  }
}

/** Removes what a creation that was killed has left behind. */
async function sweep(home: string): Promise<void> {
  const prefix = `${basename(home)}.new-`;
  for (const name of await readdir(dirname(home))) {
    if (!name.startsWith(prefix)) continue;
    const draft = join(dirname(home), name);
    const made = await stat(draft).catch(() => undefined);
    const maker = Number(name.slice(prefix.length).split("-")[0]);
    // Numbers of processes come again, above all in containers, so age counts too.
    const old = made !== undefined && Date.now() - made.mtimeMs > 600_000;
    if (old || !alive(maker)) await rm(draft, { recursive: true, force: true });
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}
