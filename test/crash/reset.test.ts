import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceDirectory } from "../support/temporary.ts";
import { startBuilt } from "./service-process.ts";

const program = new URL("../../dist/app/reset.js", import.meta.url).pathname;
const reset = (dataDir: string, env: Record<string, string> = {}, ...args: string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    cwd: dataDir,
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...env },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );

test("reset empties a stopped service, and only that", async () => {
  const dataDir = await serviceDirectory();
  await writeFile(join(dataDir, "notes.txt"), "Not of the service.");
  const service = await startBuilt(dataDir);
  const body = JSON.stringify({ email: "a@example.com", password: "one two three", name: "A" });
  const headers = { "Content-Type": "application/json" };
  const register = (url: string) =>
    fetch(`${url}/api/v1/auth/register`, { method: "POST", body, headers });
  expect((await register(service.url)).status).toBe(200);

  expect(await reset(dataDir, {}, "--yes")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/is running/),
  });
  service.kill("SIGTERM");
  await service.ended;
  expect(await reset(dataDir)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/Nothing was deleted/),
  });
  const elsewhere = { DATABASE_URL: "postgres://localhost/boards" };
  expect(await reset(dataDir, elsewhere, "--yes")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/DATABASE_URL/),
  });
  expect((await reset(dataDir, {}, "--yes")).code).toBe(0);
  expect(await readdir(dataDir)).toContain("notes.txt");

  const again = await startBuilt(dataDir);
  expect((await register(again.url)).status).toBe(200);
});
