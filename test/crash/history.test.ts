import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { serviceDirectory } from "../support/temporary.ts";
import {
  checkOnce,
  checkRegister,
  checkVersions,
  readFeed,
  type FeedEvent,
} from "./history-check.ts";
import { historyClient } from "./history-client.ts";
import { clientOf, settle } from "./service-client.ts";
import { killDatabase, startBuilt, type ServiceProcess } from "./service-process.ts";

/** The whole of it: CRASH_OPERATIONS=10000 CRASH_ROUNDS=12. */
const operations = Number(process.env["CRASH_OPERATIONS"] ?? 400);
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 2);
const clientCount = 8;

/** Creates the shared cards and their label. */
async function prepare(url: string) {
  const home = await settle(url);
  const call = clientOf(() => url, home.key);
  const list = home.lists[0] ?? "";
  const made = async (path: string, body: object): Promise<any> => {
    const response = await call("POST", path, body);
    expect(response.status).toBe(200);
    return response.body;
  };
  const cards: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    cards.push((await made("/cards", { title, listPublicId: list })).publicId);
  }
  const label = await made("/labels", {
    boardPublicId: home.board,
    name: "Label",
    colourCode: "#112233",
  });
  const [workspace] = (await call("GET", "/workspaces")).body;
  const feed = `/workspaces/${workspace.workspace.publicId}/events`;
  const { publicId } = workspace.workspace;
  const shared = { workspace: String(publicId), board: home.board, list, cards };
  return { home, feed, shared: { ...shared, label: String(label.publicId) } };
}

/** Kills the service, its database, or both, at random; the service runs again afterwards. */
async function strike(dataDir: string, service: ServiceProcess): Promise<ServiceProcess> {
  const target = Math.floor(Math.random() * 3);
  if (target > 0) await killDatabase(dataDir);
  if (target === 1) return service;
  service.kill();
  await service.ended;
  return startBuilt(dataDir);
}

test(`${operations} operations of ${clientCount} clients and ${rounds} crashes have a sound history`, async () => {
  const dataDir = await serviceDirectory();
  let service = await startBuilt(dataDir);
  const { home, feed, shared } = await prepare(service.url);
  const url = () => service.url;
  const call = clientOf(url, home.key);
  const clients = Array.from({ length: clientCount }, () => historyClient(url, home.key, shared));

  let done = 0;
  let striking: Promise<void> | undefined;
  let strikes = 0;
  const crash = async () => {
    service = await strike(dataDir, service);
    striking = undefined;
  };
  const run = async ({ perform }: (typeof clients)[number]) => {
    while (done < operations) {
      await perform();
      done++;
      // The last crash leaves time for the calls that it met.
      const due = Math.floor((done / operations) * 1.3 * (rounds + 1));
      if (striking !== undefined || strikes >= Math.min(due, rounds)) continue;
      strikes++;
      striking = crash();
    }
  };
  // Events come after those of all transactions that began before: the last one ends the feed.
  const ends = ({ type, data }: FeedEvent) =>
    type === "card.created" && data.card.title === "The last";
  const followed: FeedEvent[] = [];
  const follow = async () => {
    for (let cursor: string | undefined; !followed.some(ends); await pause(50)) {
      const page = await readFeed(call, feed, cursor);
      followed.push(...page.items);
      cursor = page.cursor;
    }
  };
  const following = follow();
  await Promise.all(clients.map(run));
  await striking;
  const last = { title: "The last", listPublicId: shared.list };
  while ((await call("POST", "/cards", last)).status !== 200) await pause(20);
  await following;
  const { items } = await readFeed(call, feed);
  expect(items.some(ends)).toBe(true);

  const history = clients.flatMap((client) => client.history);
  expect(history.length).toBeGreaterThanOrEqual(operations);
  expect(strikes).toBe(rounds);
  // A crash frees the keys of its calls at once: no repeated call meets its first one in flight.
  const met = clients.map((client) => client.met());
  expect(met).toEqual(clients.map(() => 0));
  expect(followed.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  expect(new Set(followed.map(({ id }) => id)).size).toBe(followed.length);
  checkOnce(history, items);
  checkVersions(items, shared.cards);
  for (const card of shared.cards) checkRegister(history, items, card);
});
