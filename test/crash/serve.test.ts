import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished, test, expect } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Starts `wbs serve` as built, in an empty directory. */
async function wbsServe(env: Record<string, string>) {
  const program = new URL("../../dist/cli/main.js", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, "serve"], {
    cwd: await temporaryDirectory(),
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("wbs serve starts the service, and SIGTERM stops it", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const child = await wbsServe({
    DATABASE_URL: database.url,
    PORT: "0",
    APP_SECRET: "a secret for tests, 32 characters",
  });
  const exit = once(child, "exit");
  let api: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    api = /REST\s+(\S+)/.exec(line)?.[1];
    if (api !== undefined) break;
  }
  expect(await (await fetch(`${api}/health`)).json()).toMatchObject({ status: "ok" });
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  await expect(fetch(`${api}/health`)).rejects.toThrow("fetch failed");
});

test("wbs serve exits with the code of a service that cannot start", async () => {
  const child = await wbsServe({ PORT: "many" });
  const exit = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  expect(await exit).toEqual([1, null]);
  expect(errors).toContain("PORT");
});
