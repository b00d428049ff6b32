import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Client } from "./session.ts";

/** Runs `use` with the client of an adapter, a program that answers a line with a line. */
export async function withAdapter(
  cwd: string,
  [program = "", ...args]: readonly string[],
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const adapter = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
  const errors: string[] = [];
  adapter.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  adapter.stdin.on("error", () => {});
  const lines = createInterface({ input: adapter.stdout })[Symbol.asyncIterator]();
  const client: Client = async (call) => {
    adapter.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${call.operation}: ${errors.join("").slice(0, 4_000)}`);
    return JSON.parse(value);
  };
  try {
    await use(client);
  } finally {
    adapter.stdin.end();
    adapter.kill();
  }
}
