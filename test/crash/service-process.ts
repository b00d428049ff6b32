import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { findServer } from "../../src/platform/db/embedded/process.ts";

/** The built service in a process of its own. */
export type ServiceProcess = {
  url: string;
  process: ChildProcess;
  /** All that it has printed. */
  output: () => string;
  kill: (signal?: NodeJS.Signals) => void;
  /** The code that it ends with; null for one that was killed. */
  ended: Promise<number | null>;
};

/** The folder of the package. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Starts the built service, as `npm start` does, on an embedded database below `dataDir`; it is
 * there when it has said so.
 */
export async function startBuilt(
  dataDir: string,
  env: Record<string, string> = {},
  from = root,
): Promise<ServiceProcess> {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const [, ...args] = String(scripts.start).split(" ");
  const child = spawn(process.execPath, [...args.slice(0, -1), join(from, args.at(-1) ?? "")], {
    cwd: dataDir,
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: "0",
      RATE_LIMIT: "1000000",
      AUTH_RATE_LIMIT: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  const ended = exit.then(([code]: unknown[]) => (typeof code === "number" ? code : null));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^ *REST +(http:\/\/\S+)\/api\/v1$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exit.then(() => reject(new Error(`The service ended: ${output}`)));
  });
  const kill = (signal: NodeJS.Signals = "SIGKILL") => void child.kill(signal);
  return { url, process: child, output: () => output, kill, ended };
}

/** The most memory that a process has held so far, in MiB. */
export async function peakOf({ process: { pid } }: ServiceProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Kills the embedded server with everything that it has started, as a crash of the machine would;
 * answers whether there was one.
 */
export async function killDatabase(dataDir: string): Promise<boolean> {
  const server = await findServer(join(dataDir, "postgres", "data"));
  if (server === undefined) return false;
  const children = await readFile(`/proc/${server}/task/${server}/children`, "utf8").catch(
    () => "",
  );
  for (const pid of [server, ...children.split(" ").filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with its parent.
    }
  }
  return true;
}
