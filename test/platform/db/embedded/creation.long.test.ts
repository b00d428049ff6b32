import { once } from "node:events";
import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { findServer } from "../../../../src/platform/db/embedded/process.ts";
import { startEmbedded } from "../../../../src/platform/db/embedded/server.ts";
import { dataOf, query, serve, silent, start } from "../../../support/embedded.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("starts again after a creation that was killed", async () => {
  let dataDir = await killCreation();
  // On a machine that stands still the creation ends before the kill.
  while ((await readdir(dataDir)).includes("postgres")) dataDir = await killCreation();
  expect(await readdir(dataDir)).toEqual([expect.stringMatching(/^postgres\.new-/)]);

  const { url } = await start(dataDir);
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

/** Kills a service that creates its database, as soon as there is a draft of it. */
async function killCreation(): Promise<string> {
  const dataDir = await temporaryDirectory();
  const killed = serve(dataDir);
  for await (const _ of changesIn(dataDir)) {
    const [draft] = await readdir(dataDir);
    if (draft !== undefined) break;
  }
  await killed.kill("SIGKILL");
  return dataDir;
}

async function* changesIn(directory: string) {
  const watcher = watch(directory);
  try {
    yield;
    for (;;) yield await once(watcher, "change");
  } finally {
    watcher.close();
  }
}

test("an aborted start leaves no process and no incomplete directory", async () => {
  const dataDir = await temporaryDirectory();
  const early = startEmbedded({ dataDir, log: silent, signal: AbortSignal.timeout(100) });
  await expect(early).rejects.toThrow();
  expect(await readdir(dataDir)).toEqual([]);

  await (await start(dataDir)).stop();
  const off = new AbortController();
  const late = startEmbedded({ dataDir, log: silent, signal: off.signal });
  const watcher = watch(dataOf(dataDir), (_, name) => {
    if (name === "postmaster.pid") off.abort();
  });
  await expect(late).rejects.toThrow();
  watcher.close();
  expect(await findServer(dataOf(dataDir))).toBeUndefined();
});
