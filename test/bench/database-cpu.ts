import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

const ticksPerSecond = 100;

/** The CPU times of a process, in ticks, and its parent. */
async function statOf(pid: string): Promise<{ parent: string; ticks: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name of a process, in parentheses, may have spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 15) return undefined;
  // utime, stime, and those of children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: fields[1] ?? "", ticks };
}

/**
 * Measures the CPU time that an embedded PostgreSQL has used so far, in µs.
 *
 * Its socket is in its data directory. NaN where processes cannot be read: outside Linux.
 */
export function databaseCpu(url: string): () => Promise<number> {
  const data = new URL(url).searchParams.get("host") ?? "";
  return async () => {
    const text = await readFile(join(data, "postmaster.pid"), "utf8");
    const [server = ""] = text.split("\n");
    const own = await statOf(server);
    if (own === undefined) return Number.NaN;
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const processes = await Promise.all(pids.map(statOf));
    const ticks = processes
      .filter((found) => found?.parent === server)
      .reduce((sum, found) => sum + (found?.ticks ?? 0), own.ticks);
    return (ticks / ticksPerSecond) * 1e6;
  };
}
