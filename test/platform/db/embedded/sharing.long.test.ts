import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { findServer } from "../../../../src/platform/db/embedded/process.ts";
import { dataOf, query, serve, start } from "../../../support/embedded.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("a second service uses the first one's database, and the last one to stop stops it", async () => {
  const dataDir = await temporaryDirectory();
  const first = await start(dataDir);
  const second = await start(dataDir);
  expect([first.owner, second.owner]).toEqual([true, false]);

  await first.stop();
  expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.stop();
  expect(await findServer(dataOf(dataDir))).toBeUndefined();
});

test("services that stop at the same moment leave no server running", async () => {
  const dataDir = await temporaryDirectory();
  const databases = await Promise.all([start(dataDir), start(dataDir), start(dataDir)]);
  await Promise.all(databases.map((database) => database.stop()));
  expect(await findServer(dataOf(dataDir))).toBeUndefined();
});

test("two services started at once on an empty directory share one database", async () => {
  const dataDir = await temporaryDirectory();
  const said = await Promise.all([serve(dataDir), serve(dataDir)].map((program) => program.next()));
  expect(said).toHaveLength(2);
  expect(said.filter((line) => JSON.stringify(line) === '{"owner":true}')).toHaveLength(1);
  expect(await readdir(dataDir)).toEqual(["postgres"]);
  expect((await start(dataDir)).owner).toBe(false);
});

test("the next service uses the database of one that was killed with kill -9", async () => {
  const dataDir = await temporaryDirectory();
  const killed = serve(dataDir);
  expect(await killed.next()).toEqual({ owner: true });
  const server = await findServer(dataOf(dataDir));
  await killed.kill("SIGKILL");

  const next = await start(dataDir);
  expect(next.owner).toBe(false);
  expect(await findServer(dataOf(dataDir))).toBe(server);
  await next.stop();
  expect(await findServer(dataOf(dataDir))).toBeUndefined();
});
