import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { findServer } from "../../../../src/platform/db/embedded/process.ts";
import { dataOf, query, start } from "../../../support/embedded.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("restarts within a second with the committed data", async () => {
  const dataDir = await temporaryDirectory();
  const first = await start(dataDir);
  await query(first.url, "CREATE TABLE notes AS SELECT 'æ🙂' AS text");
  await first.stop();
  expect(await findServer(dataOf(dataDir))).toBeUndefined();

  const restart = async () => {
    const began = performance.now();
    const next = await start(dataDir);
    const took = performance.now() - began;
    expect(next.owner).toBe(true);
    expect(await query(next.url, "SELECT text FROM notes")).toEqual([{ text: "æ🙂" }]);
    await next.stop();
    return took;
  };
  // Until one is fast: the machine may be busy with other tests.
  await expect.poll(restart).toBeLessThan(1_000);
});

test("flushes each commit to disk, and opens no network port", async () => {
  const { url } = await start(await temporaryDirectory());
  const names = "'fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses'";
  expect(
    await query(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN (${names}) ORDER BY name`,
    ),
  ).toEqual([
    { name: "fsync", setting: "on" },
    { name: "full_page_writes", setting: "on" },
    { name: "listen_addresses", setting: "" },
    { name: "synchronous_commit", setting: "on" },
  ]);
});

test("rejects local connections without the password", async () => {
  const { url } = await start(await temporaryDirectory());
  const address = new URL(url);
  address.password = "guessed";
  await expect(query(address.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
});

test("restarts at the same address after kill -9", async () => {
  const dataDir = await temporaryDirectory();
  const lines: string[] = [];
  let back = () => {};
  const returned = new Promise<void>((resolve) => (back = resolve));
  const listener = {
    write(line: string) {
      lines.push(line);
      if (line.includes("is running again")) back();
    },
  };
  const { url } = await start(dataDir, pino({ level: "info" }, listener));
  await query(url, "CREATE TABLE notes (id int)");
  const server = await findServer(dataOf(dataDir));
  expect(server).toBeDefined();
  process.kill(server ?? 0, "SIGKILL");
  await returned;
  expect(await query(url, "SELECT count(*)::int AS n FROM notes")).toEqual([{ n: 0 }]);
  expect(await findServer(dataOf(dataDir))).not.toBe(server);
});

test("starts despite a pid file whose pid belongs to another process", async () => {
  const dataDir = await temporaryDirectory();
  await (await start(dataDir)).stop();
  const { uid, gid } = await stat(dataOf(dataDir));
  const other = spawn("sleep", ["60"], { uid, gid, stdio: "ignore" });
  onTestFinished(async () => {
    other.kill();
    await once(other, "exit");
  });
  await writeFile(
    join(dataOf(dataDir), "postmaster.pid"),
    `${other.pid}\n${dataOf(dataDir)}\n0\n5432\n.\n\n  1  1\nready   \n`,
  );
  expect((await start(dataDir)).owner).toBe(true);
});

test("runs in a directory whose path is too long for a socket", async () => {
  const dataDir = join(await temporaryDirectory(), ...("deep".repeat(30).match(/.{20}/g) ?? []));
  await mkdir(dataDir, { recursive: true });
  const [one, two] = [await start(dataDir), await start(dataDir)];
  for (const { url } of [one, two])
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});
