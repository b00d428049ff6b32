import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const planted: Record<string, string> = {
  "kernel/import.ts": `import { start } from "../app/service.ts";`,
  "kernel/type.ts": `import type { AppDeps } from "../app/deps.ts";`,
  "kernel/re-export.ts": `export * from "../app/deps.ts";`,
  "kernel/dynamic.ts": `export const load = () => import("../app/deps.ts");`,
  "kernel/type-of-import.ts": `export type D = import("../app/deps.ts").AppDeps;`,
  "kernel/test.ts": `import "../../test/support/app.ts";`,
  "client/below.ts": `import type { Failure } from "../platform/errors.ts";`,
  "client/value.ts": `import { policy } from "../contract/policy.ts";`,
  "elsewhere/file.ts": `import type { Rule } from "../contract/policy.ts";`,
  "platform/one/a.ts": `import "../two/a.ts";`,
  "platform/one/b.ts": `import "./c.ts";`,
  "platform/one/c.ts": `import "./b.ts";`,
  "platform/two/a.ts": "export {};",
  "platform/two/b.ts": `import "../one/b.ts";`,
};

/** Runs the check; answers its exit code and what it prints. */
async function check(at: string): Promise<{ code: number; stdout: string }> {
  const script = join(root, "scripts/layers.mjs");
  return promisify(execFile)(process.execPath, [script, at]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
}

describe("npm run layers, on a copy of the sources with planted imports, fails on", () => {
  let copy: string;
  let result: Awaited<ReturnType<typeof check>>;

  beforeAll(async () => {
    copy = await scratchDirectory();
    const filter = (path: string) => !path.endsWith("generated");
    await cp(join(root, "src"), join(copy, "src"), { recursive: true, filter });
    for (const [path, text] of Object.entries(planted)) {
      const file = join(copy, "src", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    result = await check(copy);
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test.each([
    ["an import that points up", /points up: kernel\/import\.ts → app\/service\.ts/],
    ["an import of a type", /points up: kernel\/type\.ts → app\/deps\.ts/],
    ["a re-export", /points up: kernel\/re-export\.ts → app\/deps\.ts/],
    ["a dynamic import", /points up: kernel\/dynamic\.ts → app\/deps\.ts/],
    ["the type of an import", /points up: kernel\/type-of-import\.ts → app\/deps\.ts/],
    ["an import of a test", /points up: kernel\/test\.ts → \.\.\/test\/support\/app\.ts/],
    [
      "a client that imports more than the contract and the type of the router",
      /imports the server: client\/below\.ts/,
    ],
    ["a client that imports a value", /imports values: client\/value\.ts/],
    ["a file outside the layers", /in no layer: elsewhere\/file\.ts/],
    ["a cycle of files", /cycle of files:.* platform\/one\/b\.ts platform\/one\/c\.ts/],
    ["a cycle of folders", /cycle of folders:.* platform\/one platform\/two/],
  ])("%s", (_, fault) => {
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(fault);
  });
});
