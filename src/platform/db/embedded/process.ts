import { execFile } from "node:child_process";
import { access, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeOf } from "../../error-code.ts";

/** Whether a file or directory exists at this path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether a process with this pid runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** The pid of the PostgreSQL server that runs on this data directory; undefined without one. */
export async function findServer(data: string): Promise<number | undefined> {
  const pid = pidIn(await readPidFile(data));
  return pid !== undefined && (await servesFrom(pid, data)) ? pid : undefined;
}

const statusLine = 7;

/** The pid of a server that refuses new connections, because it is stopping. */
export async function findStopping(data: string): Promise<number | undefined> {
  const text = await readPidFile(data);
  if (text.split("\n")[statusLine]?.trim() !== "stopping") return undefined;
  const pid = pidIn(text);
  return pid !== undefined && (await servesFrom(pid, data)) ? pid : undefined;
}

/** Removes the pid file of a dead server: PostgreSQL trusts it when the pid was reused. */
export async function clearStalePid(data: string): Promise<void> {
  const pidFile = await readPidFile(data);
  const pid = pidIn(pidFile);
  if (pid === undefined || (await servesFrom(pid, data))) return;
  // Another service may have started the server since. Its file must stay.
  if ((await readPidFile(data)) === pidFile)
    await rm(join(data, "postmaster.pid"), { force: true });
}

const readPidFile = (data: string) =>
  readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");

function pidIn(text: string): number | undefined {
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

async function servesFrom(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") {
    const listing = await promisify(execFile)("ps", ["-o", "comm=", "-p", String(pid)]).catch(
      () => undefined,
    );
    return listing?.stdout.includes("postgres") ?? false;
  }
  // The working directory of a PostgreSQL server is its data directory.
  const [serverDirectory, dataDirectory] = await Promise.all([
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
    stat(data).catch(() => undefined),
  ]);
  return (
    serverDirectory !== undefined &&
    dataDirectory !== undefined &&
    serverDirectory.ino === dataDirectory.ino &&
    serverDirectory.dev === dataDirectory.dev
  );
}
