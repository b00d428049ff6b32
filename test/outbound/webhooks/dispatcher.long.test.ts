import { expect, onTestFinished, test } from "vitest";
import {
  createDispatcher,
  startDeliveries,
} from "../../../src/outbound/webhooks/dispatch/dispatcher.ts";
import { webhookLeaseMs } from "../../../src/outbound/webhooks/dispatch/leases.ts";
import { gate } from "../../support/gate.ts";
import { deliverDue } from "../../support/deliveries.ts";
import { startApp } from "../../support/app.ts";
import { loseWebhookLeases } from "../../support/faults.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { startReceiver } from "../../support/receiver.ts";
import { hooked, hookOf, local, receiverFor } from "./hook.ts";

/** The service on its own database, so that no other test adds deliveries. */
async function startAlone() {
  const app = await startApp({ env: local });
  onTestFinished(() => app.close());
  return app;
}

/** Waits until a condition is true. */
async function until(isTrue: () => boolean | Promise<boolean>) {
  while (!(await isTrue())) await new Promise(setImmediate);
}

test("a commit sends its event, without a poll", async () => {
  const app = await startAlone();
  const { hook, add } = await hooked(app);
  const deliveries = startDeliveries(app.deps, 8);
  onTestFinished(() => deliveries.stop());
  const { body: card } = await add();
  const sent = await hook.receiver.next();
  expect(JSON.parse(sent.body).data.card.publicId).toBe(card.publicId);
});

test("at most four attempts to one webhook are in flight, in all instances together", async () => {
  const app = await startAlone();
  const { hook, add } = await hooked(app);
  const other = await hookOf(app, (await hooked(app)).workspace, {}, hook.receiver);
  expect(other.publicId).not.toBe(hook.publicId);
  hook.receiver.response({ how: "stall" });
  for (let n = 0; n < 12; n++) await add();
  const dispatchers = [createDispatcher(app.deps, 64), createDispatcher(app.deps, 64)];
  onTestFinished(() => Promise.all(dispatchers.map((one) => one.stop(0))).then(() => undefined));
  for (const dispatcher of dispatchers) dispatcher.poll("all");
  await until(() => hook.receiver.deliveries.length >= 4);
  for (let round = 0; round < 20; round++) {
    for (const dispatcher of dispatchers) dispatcher.poll("all");
    await app.deps.db.ping();
  }
  expect(hook.receiver.deliveries).toHaveLength(4);
});

test("a dead receiver and one that never responds delay no other webhook", async () => {
  const app = await startAlone();
  const workspace = await makeWorkspace(app);
  const { lists } = await makeBoard(workspace);
  const slow = await receiverFor(app);
  slow.response({ how: "stall" });
  const dead = await startReceiver();
  const healthy = await receiverFor(app);
  await hookOf(app, workspace, {}, slow);
  await hookOf(app, workspace, {}, dead);
  await dead.close();
  for (let n = 0; n < 8; n++) await hookOf(app, workspace, {}, healthy);
  const deliveries = startDeliveries(app.deps, 16);
  onTestFinished(() => deliveries.stop());
  for (let n = 0; n < 6; n++) {
    await workspace.admin.rest.post("/cards", { title: `Card ${n}`, listPublicId: lists[0] });
  }
  await until(() => healthy.deliveries.length === 48);
  expect(slow.deliveries.length).toBeGreaterThan(0);
  const succeeded = () => app.db.reader.delivery.count({ where: { status: "succeeded" } });
  await until(async () => (await succeeded()) === 48);
});

test("one instance holds the lease of a webhook; another claims it when the lease expires", async () => {
  const app = await startAlone();
  const { hook, add, list } = await hooked(app);
  hook.receiver.response((_, count) => (count === 0 ? { how: "stall" } : {}));
  await add();
  const lost = createDispatcher(app.deps, 8);
  onTestFinished(() => lost.stop(0));
  lost.poll("all");
  await until(() => hook.receiver.deliveries.length === 1);

  app.advance(webhookLeaseMs - 1);
  expect(await deliverDue(app.deps)).toBe(0);
  expect(await list()).toMatchObject([{ status: "pending", attemptCount: 0 }]);
  app.advance(1);
  expect(await deliverDue(app.deps)).toBe(1);
  expect(await list()).toMatchObject([{ status: "succeeded", attemptCount: 1 }]);
  const [first, second] = hook.receiver.deliveries;
  expect(second?.id).toBe(first?.id);
});

test("a renewed lease is not claimed", async () => {
  const app = await startAlone();
  const { hook, add } = await hooked(app);
  hook.receiver.response({ how: "stall" });
  await add();
  const dispatcher = createDispatcher(app.deps, 8);
  onTestFinished(() => dispatcher.stop(0));
  dispatcher.poll("all");
  await until(() => hook.receiver.deliveries.length === 1);
  const lease = async () => (await app.db.reader.webhook.findMany())[0]?.leasedUntil?.getTime();
  for (let renewal = 0; renewal < 3; renewal++) {
    app.advance(webhookLeaseMs - 1);
    dispatcher.renewLeases();
    await until(async () => (await lease()) === app.deps.clock().getTime() + webhookLeaseMs);
    expect(await deliverDue(app.deps)).toBe(0);
  }
  expect(hook.receiver.deliveries).toHaveLength(1);
});

test("a stop waits for attempts in flight, and begins no other", async () => {
  const app = await startAlone();
  const { hook, add, list } = await hooked(app);
  const { receiver } = hook;
  const response = gate();
  receiver.response({ until: response.opened });
  await add("In flight");
  const deliveries = createDispatcher(app.deps, 8);
  onTestFinished(() => deliveries.stop(0));
  deliveries.poll("all");
  await until(() => receiver.deliveries.length === 1);
  await add("Late");
  const stopped = deliveries.stop(60_000);
  response.open();
  await stopped;
  expect(await list()).toMatchObject([
    { status: "pending", attemptCount: 0 },
    { status: "succeeded", attemptCount: 1 },
  ]);
  expect(await deliverDue(app.deps)).toBe(1);
  expect((await list()).map(({ status }: any) => status)).toEqual(["succeeded", "succeeded"]);
});

test("a stop gives back attempts that take too long", async () => {
  const app = await startAlone();
  const { hook, add, list } = await hooked(app);
  const { receiver } = hook;
  receiver.response({ how: "stall" });
  await add("Slow");
  const deliveries = createDispatcher(app.deps, 8);
  onTestFinished(() => deliveries.stop(0));
  deliveries.poll("all");
  await until(() => receiver.deliveries.length === 1);
  await deliveries.stop(50);
  expect(await list()).toMatchObject([{ status: "pending", attemptCount: 0 }]);
  receiver.response({});
  expect(await deliverDue(app.deps)).toBe(1);
  expect(await list()).toMatchObject([{ status: "succeeded", attemptCount: 1 }]);
});

test("several instances share a backlog and send each delivery once", async () => {
  const app = await startAlone();
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

test("an attempt in flight is not repeated when its lease is lost and claimed again", async () => {
  const app = await startAlone();
  const { hook, add, list } = await hooked(app);
  hook.receiver.response((_, count) => (count === 0 ? { delayMs: 300, status: 500 } : {}));
  await add();
  const dispatcher = createDispatcher(app.deps, 8);
  onTestFinished(() => dispatcher.stop(0));
  dispatcher.poll("all");
  await until(() => hook.receiver.deliveries.length === 1);
  // Another instance claimed it meanwhile, and is dead.
  await loseWebhookLeases(app);
  dispatcher.renewLeases();
  dispatcher.poll("all");
  await dispatcher.drained();
  expect(hook.receiver.deliveries).toHaveLength(1);
  expect(await list()).toMatchObject([{ status: "pending", attemptCount: 1 }]);
});
