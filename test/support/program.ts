import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A program of ours in a process of its own, which can be killed like a service. */
export type Program = {
  process: ChildProcess;
  /** Waits for the next line that it prints, as JSON; undefined when it has ended. */
  next(): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

const runner = 'import { runnerImport } from "vite"; await runnerImport(process.argv[1]);';

/** Runs a TypeScript file of ours; its arguments begin at `process.argv[2]`. */
export function run(file: URL, ...args: string[]): Program {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", runner, fileURLToPath(file), ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async next() {
      const { done, value } = await lines.next();
      return done === true ? undefined : JSON.parse(value);
    },
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
}
