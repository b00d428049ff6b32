import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { startReceiver } from "../support/receiver.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { clientOf, settle, type Client, type Home } from "./service-client.ts";
import { killDatabase, startBuilt, type ServiceProcess } from "./service-process.ts";
import { startFlakyTarget } from "./webhook-target.ts";

/** The whole of it: CRASH_ROUNDS=100, every tenth of which takes the database too. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 2);
const writesEach = 150;
/** How many writes may wait for their deliveries: a killed instance holds its webhooks for as long as its lease, and writers would pile up far more. */
const mostAhead = 500;
const env = {
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
  WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 30 }, () => "1").join(","),
};

/** Adds a webhook; answers its path and its secret. */
async function addHook(call: Client, url: string, fields: object) {
  const { body: all } = await call("GET", "/workspaces");
  const root = `/workspaces/${all[0].workspace.publicId}/webhooks`;
  const { body } = await call("POST", root, { name: "Hook", url, ...fields });
  return { path: `${root}/${body.publicId}`, secret: String(body.secret) };
}

/** Writes until the connection breaks, but while it `mayWrite` only; every title is new, and `acknowledged` has those that were answered with 200. */
async function write(
  call: Client,
  home: Home,
  name: string,
  acknowledged: Set<string>,
  mayWrite: () => boolean,
) {
  const cards: string[] = [];
  for (let turn = 0; ; turn++) {
    while (!mayWrite()) await new Promise((resolve) => setTimeout(resolve, 20));
    const title = `${name} ${turn}`;
    const card = turn % 3 === 0 ? undefined : cards[(turn * 7) % cards.length];
    const body = { title, listPublicId: home.lists[turn % 2] };
    const answer = await (
      card === undefined ? call("POST", "/cards", body) : call("PUT", `/cards/${card}`, { title })
    ).catch(() => undefined);
    if (answer === undefined) return;
    if (answer.status === 503) continue;
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    acknowledged.add(title);
    if (card === undefined) cards.push(answer.body.publicId);
  }
}

/** Comes back when something holds; looks for a minute and a half at most. */
async function until(holds: () => boolean | Promise<boolean>, what: () => string) {
  const end = performance.now() + 90_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It took too long: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test(`kill -9 of the service ${rounds} times, and of its database now and then, while 8 write and a flaky target listens, loses no delivery and makes up none`, async () => {
  const dataDir = await temporaryDirectory();
  const target = await startFlakyTarget();
  onTestFinished(() => target.close());
  let service: ServiceProcess = await startBuilt(dataDir, env);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.key);
  const hooks = [
    await addHook(call, `${target.url}all`, { events: ["card.*"] }),
    await addHook(call, `${target.url}board`, { events: ["*"], boardPublicId: home.board }),
  ];
  for (const { secret } of hooks) target.trust(secret);
  const acknowledged = new Set<string>();

  for (let round = 0; round < rounds; round++) {
    const [written, delivered] = [acknowledged.size, target.accepted.size];
    let isKilled = false;
    // Each write is delivered to both.
    const mayWrite = () => isKilled || acknowledged.size < target.accepted.size / 2 + mostAhead;
    const enough = () =>
      acknowledged.size >= written + writesEach && target.accepted.size >= delivered + writesEach;
    const writers = Array.from({ length: 8 }, (_, n) =>
      write(call, home, `Writer ${n} of ${round}`, acknowledged, mayWrite),
    );
    await until(enough, () => `${acknowledged.size} written, ${target.accepted.size} delivered`);
    // In the middle of it: attempts are under way, results unwritten.
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
    () => "something still waits",
  );

  const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
  onTestFinished(() => database.stop());
  const db = await openDatabase(database.url, 2, pino({ level: "silent" }));
  onTestFinished(() => db.close());
  const events = await db.reader.event.findMany({ where: { type: { startsWith: "card." } } });
  const titles = new Set(events.map(({ data }) => (data as any).card.title));
  expect([...acknowledged].filter((title) => !titles.has(title))).toEqual([]);
  // What was committed has arrived at both, acknowledged or not, and what was rolled back at neither.
  const wanted = events.flatMap(({ publicId }) => [`/all ${publicId}`, `/board ${publicId}`]);
  const got = [...target.accepted.keys()];
  const [missing, invented] = [
    wanted.filter((key) => !target.accepted.has(key)),
    got.filter((key) => !wanted.includes(key)),
  ];
  expect({ missing, invented }).toEqual({ missing: [], invented: [] });
  expect(await db.reader.delivery.count({ where: { status: { not: "succeeded" } } })).toBe(0);
  expect(target.deliveries.filter(({ verifiedBy }) => verifiedBy.length !== 1)).toEqual([]);
  // Twice is what the target has said 2xx to and still got again; what it had refused had to come again.
  const twice = [...target.accepted.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(twice).toBeLessThan(0.05 * got.length);
  expect(Object.keys(target.ways).toSorted()).toEqual(["500", "good", "redirect", "reset", "slow"]);
  const told = {
    rounds,
    acknowledged: acknowledged.size,
    delivered: got.length,
    twice,
    ...target.ways,
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
});

test("what a killed instance was sending is sent by the other one as soon as its lease has run out", async () => {
  const dataDir = await temporaryDirectory();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  receiver.answer((_, count) => (count === 0 ? { how: "stall" } : {}));
  const first = await startBuilt(dataDir, env);
  const home = await settle(first.url);
  const { path, secret } = await addHook(
    clientOf(() => first.url, home.token),
    receiver.url,
    { events: ["card.created"] },
  );
  receiver.trust(secret);
  const second = await startBuilt(dataDir, env);
  const call = clientOf(() => second.url, home.token);
  await clientOf(() => first.url, home.token)("POST", "/cards", {
    title: "Mine",
    listPublicId: home.lists[0],
  });
  const held = await receiver.next();
  first.kill();
  await first.ended;
  const again = await receiver.next();
  expect([again.id, again.body]).toEqual([held.id, held.body]);
  await until(
    async () => (await call("GET", path)).body.pendingCount === 0,
    () => "it still waits",
  );
  expect((await call("GET", `${path}/deliveries`)).body.items).toMatchObject([
    { status: "succeeded", attemptCount: 1 },
  ]);
  second.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});
