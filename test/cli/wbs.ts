import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import type { AppDeps } from "../../src/app/deps.ts";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";
import type { App } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import type { Workspace } from "../support/make.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Puts the command line into one file, from which it starts quickly; answers the file. */
async function bundled(directory: string): Promise<string> {
  await copyFile(join(root, "package.json"), join(directory, "package.json"));
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: { ssr: "src/cli/main.ts", outDir: join(directory, "dist", "cli"), target: "node20" },
  });
  return join(directory, "dist", "cli", "main.js");
}

/** The command line in a process of its own. */
export type Wbs = {
  process: ChildProcess;
  /** What it has printed on standard error so far. */
  said: () => string;
  /** Its end: the exit code, standard output and standard error. */
  ended: Promise<{ code: number | null; out: string; said: string }>;
};

/** Starts the command line with these arguments and this environment, in a directory. */
export function wbs(
  main: string,
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
): Wbs {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, said] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({
    code: typeof code === "number" ? code : null,
    out,
    said,
  }));
  return { process: child, said: () => said, ended };
}

/**
 * Lets a service listen, on any port unless one is named, until it is closed; answers its address.
 */
export const listening = (deps: AppDeps, port?: number) => listen(createApp(deps).fetch, port);

/** What the tests of a file use: the command line in one file, and a service that listens. */
type Served = { main: string; service: Awaited<ReturnType<typeof listening>> };

/** Makes the command line and lets the app's service listen, for the tests of a file. */
export function useWbs(app: () => App): () => Served {
  let served: Served;
  let tools: string;
  beforeAll(async () => {
    tools = await scratchDirectory();
    served = { main: await bundled(tools), service: await listening(app().deps) };
  });
  afterAll(async () => {
    await served.service.close();
    await rm(tools, { recursive: true, force: true });
  });
  return () => served;
}

/** The environment of a command line with a key of a workspace's admin. */
export async function environmentOf({ service }: Served, { admin }: Workspace) {
  const key = { password: "a password for tests", name: "Command line" };
  const { body } = await admin.rest.post("/auth/api-keys", key);
  return { WBS_URL: service.url, WBS_TOKEN: body.key };
}
