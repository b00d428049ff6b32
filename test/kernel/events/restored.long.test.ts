import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startDatabase } from "../../../src/app/database.ts";
import { startService, type Service } from "../../../src/app/service.ts";
import { Environment } from "../../../src/platform/config.ts";
import { clientOf, type Client } from "../../crash/service-client.ts";
import { patient } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const APP_SECRET = "a secret for tests, 32 characters";

/** Starts the service with its embedded database in a directory. */
async function start(dataDir: string): Promise<Service> {
  const config = Environment.parse({ DATA_DIR: dataDir, PORT: "0", APP_SECRET });
  const log = pino({ level: "silent" });
  const database = await startDatabase(config, log);
  const starting = Promise.resolve({ ...database, url: patient(database.url) });
  const service = await startService(config, log, starting);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { ...service, stop };
}

/** A workspace with one list, and calls of its admin at the service that runs now. */
async function scene(url: () => string) {
  const account = { email: "ann@example.com", password: "a password for tests", name: "Ann" };
  const { body: session } = await clientOf(url)("POST", "/auth/register", account);
  const call = clientOf(url, session.accessToken);
  const { body: workspace } = await call("POST", "/workspaces", { name: "Home" });
  const { body: board } = await call("POST", `/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: ["One"],
  });
  const listPublicId = board.lists[0].publicId;
  const path = `/workspaces/${workspace.publicId}/events`;
  const add = async (title: string) => {
    const { status } = await call("POST", "/cards", { title, listPublicId });
    expect(status).toBe(200);
  };
  return { call, path, add };
}

/** Copies a directory with its owners and permissions. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

const titlesAfter = async (call: Client, path: string, cursor: string): Promise<unknown> => {
  const { status, body } = await call("GET", `${path}?cursor=${cursor}`);
  if (status !== 200) return body.issues[0].code;
  return body.items.map((item: any) => item.data.card.title);
};

const cursorNow = async (call: Client, path: string): Promise<string> =>
  (await call("GET", `${path}?cursor=now`)).body.nextCursor;

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
  // Now the transaction ids and the ids of events are used again.
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
