import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";

const script = fileURLToPath(new URL("../../scripts/check-names.mjs", import.meta.url));
let root: string;

beforeEach(async () => {
  root = await scratchDirectory();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Runs the check on some files; answers its exit code and what it prints. */
async function check(files: Record<string, string>): Promise<{ code: number; stdout: string }> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, "src", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return promisify(execFile)(process.execPath, [script, root]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
}

test("a name that two files export fails, whatever it names", async () => {
  const { code, stdout } = await check({
    "kernel/a.ts": `export type Claim = string;
      export class Row {}
      export function find() {}
      export const { size } = values;`,
    "platform/b.ts": `export type Claim = number;
      export type Row = number;
      export const find = 1;
      export const [size] = values;`,
  });
  expect(code).toBe(1);
  for (const name of ["Claim", "Row", "find", "size"]) {
    expect(stdout).toContain(`${name}: kernel/a.ts platform/b.ts`);
  }
});

test("a type and its schema in one file, and names that are not exported, pass", async () => {
  const result = await check({
    "kernel/a.ts": "export const Claim = 1;\nexport type Claim = typeof Claim;\ntype Row = 1;",
    "platform/b.ts": "type Row = 2;\nconst Claim = 3;",
  });
  expect(result).toEqual({ code: 0, stdout: "" });
});
