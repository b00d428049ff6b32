import { expect, onTestFinished, test } from "vitest";
import { createDispatcher } from "../../../src/outbound/webhooks/dispatcher.ts";
import { leaseMs } from "../../../src/outbound/webhooks/queue.ts";
import { deliverDue, startDeliveries } from "../../../src/outbound/webhooks/worker.ts";
import { startApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { startReceiver } from "../../support/receiver.ts";
import { hooked, hookOf, local, receiverFor } from "./hook.ts";

/** The whole service on a database of its own, where nobody else leaves deliveries. */
async function alone() {
  const app = await startApp({ env: local });
  onTestFinished(() => app.close());
  return app;
}

/** Comes back when something holds; the test's time limit is its own. */
async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await new Promise(setImmediate);
}

test("an event goes out when its write commits, without anybody asking", async () => {
  const app = await alone();
  const { hook, add } = await hooked(app);
  const deliveries = startDeliveries(app.deps, 8);
  onTestFinished(() => deliveries.stop());
  const { body: card } = await add();
  const sent = await hook.receiver.next();
  expect(JSON.parse(sent.body).data.card.publicId).toBe(card.publicId);
});

test("at most four attempts are made at a time to one webhook, by all instances together", async () => {
  const app = await alone();
  const { hook, add } = await hooked(app);
  const other = await hookOf(app, (await hooked(app)).workspace, {}, hook.receiver);
  expect(other.publicId).not.toBe(hook.publicId);
  hook.receiver.answer({ how: "stall" });
  for (let n = 0; n < 12; n++) await add();
  const couriers = [createDispatcher(app.deps, 64), createDispatcher(app.deps, 64)];
  for (const courier of couriers) courier.look("everywhere");
  await until(() => hook.receiver.deliveries.length >= 4);
  for (let round = 0; round < 20; round++) {
    for (const courier of couriers) courier.look("everywhere");
    await app.deps.db.ping();
  }
  expect(hook.receiver.deliveries).toHaveLength(4);
  await Promise.all(couriers.map((courier) => courier.stop(0)));
});

test("one dead target and one that hangs delay no other: all others have theirs while the first attempts are still under way", async () => {
  const app = await alone();
  const workspace = await makeWorkspace(app);
  const { lists } = await makeBoard(workspace);
  const slow = await receiverFor(app);
  slow.answer({ how: "stall" });
  const dead = await startReceiver();
  const good = await receiverFor(app);
  await hookOf(app, workspace, {}, slow);
  await hookOf(app, workspace, {}, dead);
  await dead.close();
  for (let n = 0; n < 8; n++) await hookOf(app, workspace, {}, good);
  const deliveries = startDeliveries(app.deps, 16);
  onTestFinished(() => deliveries.stop());
  for (let n = 0; n < 6; n++) {
    await workspace.admin.rest.post("/cards", { title: `Card ${n}`, listPublicId: lists[0] });
  }
  await until(() => good.deliveries.length === 48);
  expect(slow.deliveries.length).toBeGreaterThan(0);
  const left = () => app.db.reader.delivery.count({ where: { status: "succeeded" } });
  await until(async () => (await left()) === 48);
});

test("a webhook belongs to one instance; when that is gone, another takes over as soon as the lease has run out", async () => {
  const app = await alone();
  const { hook, add, list } = await hooked(app);
  hook.receiver.answer((_, count) => (count === 0 ? { how: "stall" } : {}));
  await add();
  const lost = createDispatcher(app.deps, 8);
  lost.look("everywhere");
  await until(() => hook.receiver.deliveries.length === 1);

  app.advance(leaseMs - 1);
  expect(await deliverDue(app.deps)).toBe(0);
  expect(await list()).toMatchObject([{ status: "pending", attemptCount: 0 }]);
  app.advance(1);
  expect(await deliverDue(app.deps)).toBe(1);
  expect(await list()).toMatchObject([{ status: "succeeded", attemptCount: 1 }]);
  const [first, second] = hook.receiver.deliveries;
  expect(second?.id).toBe(first?.id);
  await lost.stop(0);
});

test("a lease that is renewed is not taken over", async () => {
  const app = await alone();
  const { hook, add } = await hooked(app);
  hook.receiver.answer({ how: "stall" });
  await add();
  const courier = createDispatcher(app.deps, 8);
  onTestFinished(() => courier.stop(0));
  courier.look("everywhere");
  await until(() => hook.receiver.deliveries.length === 1);
  const lease = async () => (await app.db.reader.webhook.findMany())[0]?.leasedUntil?.getTime();
  for (let beat = 0; beat < 3; beat++) {
    app.advance(leaseMs - 1);
    courier.beat();
    await until(async () => (await lease()) === app.deps.clock().getTime() + leaseMs);
    expect(await deliverDue(app.deps)).toBe(0);
  }
  expect(hook.receiver.deliveries).toHaveLength(1);
});

test("a stop lets attempts finish that do, and gives back the others at once", async () => {
  const app = await alone();
  const { hook, add, list } = await hooked(app);
  const { receiver } = hook;
  receiver.answer(({ body }) => (body.includes("Slow") ? { how: "stall" } : { delayMs: 50 }));
  await add("Slow");
  await add("Quick");
  const deliveries = createDispatcher(app.deps, 8);
  deliveries.look("everywhere");
  await until(() => receiver.deliveries.length === 2);
  await add("Late");
  await deliveries.stop(500);
  expect(await list()).toMatchObject([
    { status: "pending", attemptCount: 0 },
    { status: "succeeded", attemptCount: 1 },
    { status: "pending", attemptCount: 0 },
  ]);
  receiver.answer({});
  expect(await deliverDue(app.deps)).toBe(2);
  expect((await list()).map(({ status }: any) => status)).toEqual([
    "succeeded",
    "succeeded",
    "succeeded",
  ]);
});

test("a backlog is worked off by several instances together, each delivery once", async () => {
  const app = await alone();
  const workspace = await makeWorkspace(app);
  const { lists } = await makeBoard(workspace);
  const receiver = await receiverFor(app);
  for (let n = 0; n < 6; n++) await hookOf(app, workspace, {}, receiver);
  for (let n = 0; n < 40; n++) {
    await workspace.admin.rest.post("/cards", { title: `Card ${n}`, listPublicId: lists[0] });
  }
  const sums = await Promise.all([1, 2, 3].map(() => deliverDue(app.deps, 3)));
  expect(sums.reduce((sum, one) => sum + one, 0)).toBe(240);
  expect(receiver.deliveries).toHaveLength(240);
  const counts = new Map<string, number>();
  for (const { id } of receiver.deliveries) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect([...counts.values()]).toEqual(Array.from({ length: 40 }, () => 6));
});

test("what was begun before a lease was lost is not begun again beside itself when the webhook comes back", async () => {
  const app = await alone();
  const { hook, add, list } = await hooked(app);
  hook.receiver.answer((_, count) => (count === 0 ? { delayMs: 300, status: 500 } : {}));
  await add();
  const courier = createDispatcher(app.deps, 8);
  onTestFinished(() => courier.stop(0));
  courier.look("everywhere");
  await until(() => hook.receiver.deliveries.length === 1);
  // Another instance has had it meanwhile, and is gone already.
  await app.db.write(`UPDATE webhooks SET "leasedBy" = NULL, "leasedUntil" = NULL`, []);
  courier.beat();
  courier.look("everywhere");
  await courier.quiet();
  expect(hook.receiver.deliveries).toHaveLength(1);
  expect(await list()).toMatchObject([{ status: "pending", attemptCount: 1 }]);
});
