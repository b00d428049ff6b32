import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chown,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Account, type Cluster, dataArgument, superuser } from "./cluster.ts";
import { noBundle } from "./binaries.ts";
import { isAlive, exists } from "./process.ts";
import { codeOf } from "../../error-code.ts";

/** Opens the cluster at `home`, and creates it first when it does not exist. */
export async function openCluster(
  home: string,
  initdb: string,
  account: Account,
  { signal, flush }: { signal: AbortSignal; flush: boolean },
): Promise<Cluster> {
  const data = join(home, "data");
  const refuse = (cause: unknown) => {
    const user = process.getuid?.() ?? "of this process";
    const why = ["EACCES", "EPERM"].includes(codeOf(cause) ?? "")
      ? `user ${user} may not read it, or a folder above it. ` +
        "Give that user the folder, set DATA_DIR to another one, or set DATABASE_URL"
      : "it is damaged";
    throw new Error(`The database in ${home} cannot be opened: ${why}.`, { cause });
  };
  const entries = await readdir(home).catch((error: unknown) =>
    codeOf(error) === "ENOENT" ? [] : refuse(error),
  );
  if (entries.length === 0) await create(home, initdb, account, { signal, flush });
  const password = await readFile(join(home, "password"), "utf8").catch(refuse);
  return { home, data, password: password.trim() };
}

/** Creates the cluster in a sibling folder and renames it, so that it is never incomplete. */
async function create(
  home: string,
  initdb: string,
  account: Account,
  { signal, flush }: { signal: AbortSignal; flush: boolean },
): Promise<void> {
  await mkdir(dirname(home), { recursive: true }).catch((cause: unknown) => {
    const user = process.getuid?.() ?? "of this process";
    throw new Error(
      `DATA_DIR=${dirname(home)} cannot be written by user ${user}. ` +
        "Mount a folder there that it can write, or set DATABASE_URL, and STORAGE_URL for files.",
      { cause },
    );
  });
  await sweep(home);
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
      // Another service that starts at the same time was faster, and created the same cluster.
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
      `--pgdata=${dataArgument(data)}`,
      `--username=${superuser}`,
      "--pwfile=/dev/stdin",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(flush ? [] : ["--no-sync"]),
    ],
    { ...account, cwd: data, env: {}, signal, stdio: [input.fd, "ignore", "pipe"] },
  );
  let errorOutput = "";
  child.stderr?.on("data", (chunk: Buffer) => (errorOutput += chunk.toString()));
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  // Not "exit": "close" also waits for the child processes that share the output.
  const code = await new Promise((resolve) => child.once("close", resolve));
  await input.close();
  if (failure !== undefined) throw failure;
  // A container may run as a user id without a name.
  if (/could not look up effective user ID/.test(errorOutput))
    throw noBundle(
      `PostgreSQL cannot create its database as user ${account.uid ?? process.getuid?.()}, which ` +
        "has no name in /etc/passwd. Run the service as a user with a name.",
      "Or set",
    );
  if (code !== 0)
    throw new Error(`initdb could not create a database in ${data}: ${errorOutput.trim()}`);
}

/** Removes the folders of creations that were killed. */
async function sweep(home: string): Promise<void> {
  const prefix = `${basename(home)}.new-`;
  for (const name of await readdir(dirname(home))) {
    if (!name.startsWith(prefix)) continue;
    const draft = join(dirname(home), name);
    const folder = await stat(draft).catch(() => undefined);
    const creatorPid = Number(name.slice(prefix.length).split("-")[0]);
    // Containers reuse pids, so the age of the folder counts too.
    const isOld = folder !== undefined && Date.now() - folder.mtimeMs > 600_000;
    if (!isOld && isAlive(creatorPid)) continue;
    // Its initdb may still be writing. Then the next start removes the rest.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}
