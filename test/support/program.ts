import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A TypeScript program in another process. */
export type Program = {
  process: ChildProcess;
  /** The next printed line as JSON; undefined at the end. */
  next(): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

const runner = fileURLToPath(new URL("run-typescript.mjs", import.meta.url));

/** Runs a TypeScript file; its arguments start at `process.argv[3]`. */
export function run(file: URL, ...args: string[]): Program {
  const child = spawn(process.execPath, [runner, fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
