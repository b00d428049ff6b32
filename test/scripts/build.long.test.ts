import { spawnSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";

/** A compiler that copies a source into `dist`, and adds a line to a log outside. */
const compiler = `
  import { appendFileSync, cpSync, mkdirSync } from "node:fs";
  appendFileSync("log.txt", "compiled\\n");
  mkdirSync("dist", { recursive: true });
  cpSync("src/one.ts", "dist/one.js");
`;

test("npm run build compiles what has changed since the last build, and nothing else", async () => {
  const cwd = await temporaryDirectory();
  const inside = (path: string) => join(cwd, path);
  await mkdir(inside("src"));
  const scripts = { compile: "node compile.mjs" };
  await writeFile(inside("package.json"), JSON.stringify({ scripts }));
  await writeFile(inside("compile.mjs"), compiler);
  await writeFile(inside("src/one.ts"), "1");
  await writeFile(inside("log.txt"), "");
  const build = async (...args: string[]) => {
    const { status } = spawnSync(process.execPath, [resolve("scripts/build.mjs"), ...args], {
      cwd,
    });
    return { status, times: (await readFile(inside("log.txt"), "utf8")).split("\n").length - 1 };
  };
  expect(await build()).toEqual({ status: 0, times: 1 });
  expect(await build()).toEqual({ status: 0, times: 1 });
  expect(await build("--force")).toEqual({ status: 0, times: 2 });

  await writeFile(inside("src/one.ts"), "2");
  expect(await build()).toEqual({ status: 0, times: 3 });
  await writeFile(inside("dist/one.js"), "3");
  expect(await build()).toEqual({ status: 0, times: 4 });
  expect(await readFile(inside("dist/one.js"), "utf8")).toBe("2");
  await rm(inside("dist"), { recursive: true });
  expect(await build()).toEqual({ status: 0, times: 5 });
  expect(await build()).toEqual({ status: 0, times: 5 });

  await rm(inside("src/one.ts"));
  expect(await build()).toEqual({ status: 1, times: 6 });
  expect(await build()).toEqual({ status: 1, times: 7 });
});
