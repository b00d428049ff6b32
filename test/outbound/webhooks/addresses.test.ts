import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { addressKeys } from "../../../src/outbound/webhooks/dispatch/send.ts";
import { createDispatcher } from "../../../src/outbound/webhooks/dispatch/dispatcher.ts";
import { WebhookScheduler } from "../../../src/outbound/webhooks/dispatch/webhook-scheduler.ts";
import type { WebhookQueue } from "../../../src/outbound/webhooks/dispatch/webhook-queue.ts";
import { startApp } from "../../support/app.ts";
import { loopback } from "../../support/dns.ts";
import { hooked, hookOf, local, receiverFor } from "./hook.ts";
import { queueOf } from "./queues.ts";

const limits = { slots: 256, hostConcurrency: 4, hostRate: 1_000, accountRate: 1_000 };

/** Starts attempts to one address until the limit; returns how many connected. */
function connect(share: WebhookScheduler, queues: WebhookQueue[]) {
  let connected = 0;
  for (let queue = share.next(queues); queue !== undefined; queue = share.next(queues)) {
    queue.start();
    const use = share.start(queue);
    if (use.connect(["203.0.113.1"])) connected++;
    else use.end();
  }
  return connected;
}

const names = (count: number, workspaceId = 1n) =>
  Array.from({ length: count }, (_, n) =>
    queueOf(workspaceId * 1_000n + BigInt(n), workspaceId, `name-${workspaceId}-${n}.test`, true),
  );

test("an address has a rate, over all its names", () => {
  // Each workspace has another name of the address; the rate is that of two hosts.
  const share = new WebhookScheduler({ ...limits, hostConcurrency: 100, hostRate: 1 });
  const queues = [1n, 2n, 3n].flatMap((id) => names(1, id));
  expect(connect(share, queues)).toBe(2);
  expect(queues.map((queue) => share.waitMs(queue) > 0)).toEqual([true, true, true]);
});

test("an address has a concurrency, of which one workspace gets half", () => {
  const share = new WebhookScheduler(limits);
  expect(connect(share, names(200))).toBe(4);
  expect(connect(share, names(200, 2n))).toBe(4);
  expect(connect(share, names(200, 3n))).toBe(0);
});

test("a host waits while its address is at its limit", async () => {
  const share = new WebhookScheduler({ ...limits, hostConcurrency: 1 });
  const queues = names(5);
  expect(connect(share, queues)).toBe(1);
  // The rate of each host allows its next attempt.
  await setTimeout(10);
  share.forgetIdle();
  expect(share.next(queues)).toBeUndefined();
});

test("workspaces alternate at the rate of a host", () => {
  const share = new WebhookScheduler({ ...limits, hostRate: 20 });
  const many = Array.from({ length: 40 }, (_, n) => queueOf(BigInt(n), 1n, "shared.test", true));
  const [one] = [queueOf(99n, 2n, "shared.test", true)];
  const order: bigint[] = [];
  for (let n = 0; n < 20; n++) {
    const queue = share.next([...many, one]);
    if (queue === undefined) break;
    queue.start();
    share.start(queue).end();
    queue.finish();
    order.push(queue.workspaceId);
  }
  expect(order.filter((id) => id === 2n)).toHaveLength(10);
});

test("public addresses count by network, allowed subnets by port", () => {
  const policy = { allowHttp: true, allowedSubnets: ["10.0.0.0/8"] };
  const keys = (address: string, addresses: string[]) =>
    addressKeys({ url: new URL(address), addresses }, policy);
  const open = ["203.0.113.1"];
  expect(keys("https://a.test/", open)).toEqual(keys("https://b.test:8443/", open));
  expect(keys("https://a.test/", ["2001:db8::1"])).toEqual(
    keys("https://a.test/", ["2001:db8::2"]),
  );
  expect(keys("http://a.test:1/", ["10.0.0.1"])).not.toEqual(
    keys("http://a.test:2/", ["10.0.0.1"]),
  );
});

test("webhooks to many names of one address share its limits; every delivery arrives", async () => {
  const app = await startApp({
    env: local,
    constants: { WEBHOOK_HOST_CONCURRENCY: 1, WEBHOOK_HOST_RATE: 1_000 },
    outgoing: loopback(...Array.from({ length: 20 }, (_, n) => `name-${n}.test`)),
  });
  onTestFinished(() => app.close());
  const receiver = await receiverFor(app);
  let atOnce = 0;
  let most = 0;
  receiver.response(() => {
    most = Math.max(most, ++atOnce);
    // It no longer counts when its answer is sent: the next one may come at once.
    return { until: setTimeout(10).then(() => atOnce--) };
  });
  const url = (n: number) => `http://name-${n}.test:${receiver.port}/`;
  const { workspace, add } = await hooked(app, { url: url(0) });
  for (let n = 1; n < 20; n++) await hookOf(app, workspace, { url: url(n) }, receiver);
  await add();
  const dispatcher = createDispatcher(app.deps, 64);
  onTestFinished(() => dispatcher.stop(0));
  dispatcher.poll("all");
  await expect.poll(() => receiver.deliveries.length).toBe(20);
  await dispatcher.drained();
  // One workspace gets the concurrency of one host.
  expect(most).toBe(1);
  const open = await app.db.reader.delivery.count({ where: { status: { not: "succeeded" } } });
  expect(open).toBe(0);
});
