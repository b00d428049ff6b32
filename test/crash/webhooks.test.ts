import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { withConstants } from "../support/config.ts";
import { startReceiver } from "../support/receiver.ts";
import { serviceDirectory } from "../support/temporary.ts";
import { clientOf, settle, type Client, type Home } from "./service-client.ts";
import { killDatabase, startBuilt, type ServiceProcess } from "./service-process.ts";
import { startFlakyReceiver } from "./flaky-receiver.ts";
import { findEvents } from "../support/events.ts";

/** The full test: CRASH_ROUNDS=100. Every tenth round kills the database too. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 2);
const writesEach = 150;
/** How many writes can wait for their deliveries: leases of a killed instance delay these. */
const maxAhead = 500;
const env = {
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
  ...withConstants({
    WEBHOOK_HOST_RATE: 10_000,
    WEBHOOK_ACCOUNT_RATE: 10_000,
    WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 30 }, () => 1),
  }),
};

/** Adds a webhook; returns its path and its secret. */
async function addHook(call: Client, url: string, fields: object) {
  const { body: all } = await call("GET", "/workspaces");
  const root = `/workspaces/${all[0].workspace.publicId}/webhooks`;
  const { body } = await call("POST", root, { name: "Hook", url, ...fields });
  return { path: `${root}/${body.publicId}`, secret: String(body.secret) };
}

/**
 * Writes new titles while `canWrite()`, until the connection is lost; `acknowledged` gets those
 * with a 200.
 */
async function write(
  call: Client,
  home: Home,
  name: string,
  acknowledged: Set<string>,
  canWrite: () => boolean,
) {
  const cards: string[] = [];
  for (let turn = 0; ; turn++) {
    while (!canWrite()) await new Promise((resolve) => setTimeout(resolve, 20));
    const title = `${name} ${turn}`;
    const card = turn % 3 === 0 ? undefined : cards[(turn * 7) % cards.length];
    const body = { title, listPublicId: home.lists[turn % 2] };
    const response = await (
      card === undefined ? call("POST", "/cards", body) : call("PUT", `/cards/${card}`, { title })
    ).catch(() => undefined);
    if (response === undefined) return;
    if (response.status === 503) continue;
    if (response.status !== 200)
      throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
    acknowledged.add(title);
    if (card === undefined) cards.push(response.body.publicId);
  }
}

/** Waits for a condition, for at most 5 minutes. A call in it costs the service time: few repeat it. */
async function until(isTrue: () => boolean | Promise<boolean>, what: () => string, everyMs = 20) {
  const end = performance.now() + 300_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Timeout: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

test(`kill -9 of service and database, ${rounds} times, with 8 writers, loses and invents no delivery`, async () => {
  const dataDir = await serviceDirectory();
  const receiver = await startFlakyReceiver();
  onTestFinished(() => receiver.close());
  let service: ServiceProcess = await startBuilt(dataDir, env);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.key);
  const hooks = [
    await addHook(call, `${receiver.url}all`, { events: ["card.*"] }),
    await addHook(call, `${receiver.url}board`, { events: ["*"], boardPublicId: home.board }),
  ];
  for (const { secret } of hooks) receiver.trust(secret);
  const acknowledged = new Set<string>();

  for (let round = 0; round < rounds; round++) {
    const [written, delivered] = [acknowledged.size, receiver.accepted.size];
    let isKilled = false;
    // Each write is delivered to both.
    const canWrite = () => isKilled || acknowledged.size < receiver.accepted.size / 2 + maxAhead;
    const enough = () =>
      acknowledged.size >= written + writesEach && receiver.accepted.size >= delivered + writesEach;
    const writers = Array.from({ length: 8 }, (_, n) =>
      write(call, home, `Writer ${n} of ${round}`, acknowledged, canWrite),
    );
    await until(enough, () => `${acknowledged.size} written, ${receiver.accepted.size} delivered`);
    // Now attempts are in flight, and results are not written.
    if (round % 10 === 1) expect(await killDatabase(dataDir)).toBe(true);
    service.kill();
    isKilled = true;
    await Promise.all(writers);
    expect(await service.ended).toBeNull();
    service = await startBuilt(dataDir, env);
  }

  const pending = async () => {
    const all = await Promise.all(hooks.map(({ path }) => call("GET", path)));
    return all.reduce((sum, { body }) => sum + Number(body.pendingCount), 0);
  };
  await until(
    async () => (await pending()) === 0,
    () => "deliveries are pending",
    500,
  );

  const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
  onTestFinished(() => database.stop());
  const db = await openDatabase(database.url, 2, pino({ level: "silent" }));
  onTestFinished(() => db.close());
  const events = await findEvents({ db }, { where: { type: { startsWith: "card." } } });
  const titles = new Set(events.map(({ data }) => data.card.title));
  expect([...acknowledged].filter((title) => !titles.has(title))).toEqual([]);
  // Committed events arrived at both webhooks, acknowledged or not; others at neither.
  const expected = events.flatMap(({ publicId }) => [`/all ${publicId}`, `/board ${publicId}`]);
  const got = [...receiver.accepted.keys()];
  const [missing, invented] = [
    expected.filter((key) => !receiver.accepted.has(key)),
    got.filter((key) => !expected.includes(key)),
  ];
  expect({ missing, invented }).toEqual({ missing: [], invented: [] });
  expect(await db.reader.delivery.count({ where: { status: { not: "succeeded" } } })).toBe(0);
  expect(receiver.deliveries.filter(({ verifiedBy }) => verifiedBy.length !== 1)).toEqual([]);
  // A delivery is a duplicate when it came again after a 2xx.
  const duplicates = [...receiver.accepted.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(duplicates).toBeLessThan(0.05 * got.length);
  expect(Object.keys(receiver.behaviours).toSorted()).toEqual([
    "500",
    "ok",
    "redirect",
    "reset",
    "slow",
  ]);
  const summary = {
    rounds,
    acknowledged: acknowledged.size,
    delivered: got.length,
    duplicates,
    ...receiver.behaviours,
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
});

test("deliveries in flight of a killed instance are sent by another when the lease expires", async () => {
  const dataDir = await serviceDirectory();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  receiver.response((_, count) => (count === 0 ? { how: "stall" } : {}));
  const first = await startBuilt(dataDir, env);
  const home = await settle(first.url);
  const { path, secret } = await addHook(
    clientOf(() => first.url, home.token),
    receiver.url,
    { events: ["card.created"] },
  );
  receiver.trust(secret);
  await clientOf(() => first.url, home.token)("POST", "/cards", {
    title: "Mine",
    listPublicId: home.lists[0],
  });
  const held = await receiver.next();
  // The other instance starts later: it could claim the delivery first.
  first.kill();
  await first.ended;
  const second = await startBuilt(dataDir, env);
  const call = clientOf(() => second.url, home.token);
  const again = await receiver.next();
  expect([again.id, again.body]).toEqual([held.id, held.body]);
  await until(
    async () => (await call("GET", path)).body.pendingCount === 0,
    () => "the delivery is pending",
    500,
  );
  expect((await call("GET", `${path}/deliveries`)).body.items).toMatchObject([
    { status: "succeeded", attemptCount: 1 },
  ]);
  second.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});
