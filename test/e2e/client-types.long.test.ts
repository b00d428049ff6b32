import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useService } from "./service.ts";

const service = useService();
const here = process.cwd();
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "board-frontend-"));
  await mkdir(join(project, "node_modules"));
  await symlink(join(here, "node_modules/@trpc"), join(project, "node_modules/@trpc"));
  const types = await fetch(`${service()}/docs/client.d.ts`);
  await writeFile(join(project, "board-service.d.ts"), await types.text());
  await writeFile(join(project, "package.json"), `{ "type": "module" }`);
});
afterAll(() => rm(project, { recursive: true }));

/** The compiler's output for a frontend program. */
async function compile(program: string): Promise<string> {
  await writeFile(join(project, "program.ts"), program);
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const lib = ["--lib", "esnext,dom"];
  return promisify(execFile)(
    process.execPath,
    [
      join(here, "node_modules/@typescript/native-preview/bin/tsgo"),
      ...options,
      ...lib,
      "program.ts",
    ],
    { cwd: project },
  ).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** The first tRPC program on a page. */
async function snippet(file: string): Promise<string> {
  const page = await readFile(file, "utf8");
  const program = /```ts\n(import [^]*?@trpc\/client[^]*?)```/.exec(page)?.[1] ?? "";
  return program.replace("process.env.TOKEN", `"token"`);
}

test("the program of docs/trpc.md compiles with only the served types and tRPC's packages", async () => {
  const program = await snippet("docs/trpc.md");
  expect(program).toContain("board-service.d.ts");
  expect(await compile(program)).toBe("");
});

test("and a wrong input or output does not compile", async () => {
  const program = (await snippet("docs/trpc.md"))
    .replace("board.lists[0]!.publicId", "board.cards")
    .replace("title:", "tittle:");
  const faults = await compile(program);
  expect(faults).toContain("'cards' does not exist");
  expect(faults).toContain("'tittle' does not exist");
});
