import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { copy, copyRows, cursorNow, scene, standbyOf, start, titlesAfter } from "./log-service.ts";

test("after a restored backup, cursors from before it continue and later ones are refused", async () => {
  const dataDir = await temporaryDirectory();
  const backup = `${await temporaryDirectory()}/backup`;
  let service = await start(dataDir);
  const { call, path, add } = await scene(() => service.url);
  await add("Before");
  const before = await cursorNow(call, path);

  // As docs/operating.md says: stop the service, then copy DATA_DIR.
  await service.stop();
  copy(dataDir, backup);
  service = await start(dataDir);
  await add("Lost 1");
  const lost = await cursorNow(call, path);
  await add("Lost 2");
  const later = await cursorNow(call, path);
  expect(await titlesAfter(call, path, before)).toEqual(["Lost 1", "Lost 2"]);

  await service.stop();
  await rm(dataDir, { recursive: true });
  copy(backup, dataDir);
  service = await start(dataDir);
  expect(await titlesAfter(call, path, later)).toBe("cursor_ahead");
  // Now the numbers of the lost events are given again.
  const titles = Array.from({ length: 30 }, (_, index) => `New ${index}`);
  for (const title of titles) await add(title);
  expect(await titlesAfter(call, path, before)).toEqual(titles);
  for (const cursor of [lost, later]) {
    expect(await titlesAfter(call, path, cursor)).toBe("cursor_ahead");
    const { status } = await call("GET", `${path}/stream?cursor=${cursor}`);
    expect(status).toBe(400);
  }
  const after = await cursorNow(call, path);
  await add("Last");
  expect(await titlesAfter(call, path, after)).toEqual(["Last"]);
});

test("after a standby without the last events took over, their cursors are refused", async () => {
  const primary = await temporaryDirectory();
  let service = await start(primary);
  const { call, path, add } = await scene(() => service.url);
  await add("Before");
  const before = await cursorNow(call, path);
  const standby = await standbyOf(primary, await temporaryDirectory());
  await add("Replicated");
  const replicated = await cursorNow(call, path);
  await standby.replay();
  await add("Lost 1");
  const lost = await cursorNow(call, path);
  await add("Lost 2");
  const later = await cursorNow(call, path);
  await service.stop();
  await standby.promote();

  service = await start(standby.dataDir);
  expect(await titlesAfter(call, path, before)).toEqual(["Replicated"]);
  expect(await titlesAfter(call, path, replicated)).toEqual([]);
  for (const cursor of [lost, later])
    expect(await titlesAfter(call, path, cursor)).toBe("cursor_ahead");
  for (const title of ["New 1", "New 2", "New 3"]) await add(title);
  expect(await titlesAfter(call, path, replicated)).toEqual(["New 1", "New 2", "New 3"]);
  for (const cursor of [lost, later])
    expect(await titlesAfter(call, path, cursor)).toBe("cursor_ahead");
});

test("after its rows were copied into another server, all cursors continue", async () => {
  const first = await temporaryDirectory();
  let service = await start(first);
  const { call, path, add } = await scene(() => service.url);
  await add("Before");
  const before = await cursorNow(call, path);
  await add("Copied");
  const end = await cursorNow(call, path);
  const second = await temporaryDirectory();
  const other = await start(second);
  await copyRows(first, second);
  await add("Lost");
  const lost = await cursorNow(call, path);
  await service.stop();

  service = other;
  expect(await titlesAfter(call, path, before)).toEqual(["Copied"]);
  expect(await titlesAfter(call, path, end)).toEqual([]);
  expect(await titlesAfter(call, path, lost)).toBe("cursor_ahead");
  await add("New");
  expect(await titlesAfter(call, path, end)).toEqual(["New"]);
  expect(await titlesAfter(call, path, lost)).toBe("cursor_ahead");
});
