import { expect, onTestFinished, test } from "vitest";
import { createDispatcher } from "../../../src/outbound/webhooks/dispatch/dispatcher.ts";
import { WebhookScheduler } from "../../../src/outbound/webhooks/dispatch/webhook-scheduler.ts";
import { webhooksPerPoll } from "../../../src/outbound/webhooks/dispatch/claim.ts";
import { findPending } from "../../../src/outbound/webhooks/dispatch/find-pending.ts";
import { startApp } from "../../support/app.ts";
import { crowdWebhooks, fill, queueOf } from "./queues.ts";
import { hooked, hookedBy, hookOf, local, receiverFor } from "./hook.ts";

const limits = { slots: 16, hostConcurrency: 4, hostRate: 1_000, accountRate: 1_000 };

test("one workspace gets at most half of the slots", () => {
  const queues = [1n, 2n, 3n, 4n].map((id) => queueOf(id, 1n, `host-${id}.test`, true));
  const used = fill(new WebhookScheduler(limits), queues).reduce((sum, one) => sum + one, 0);
  expect(used).toBe(8);
});

test("one account gets at most half of the slots, in however many workspaces", () => {
  const queues = Array.from({ length: 40 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), `host-${n}.test`, true, 1n),
  );
  const share = new WebhookScheduler(limits);
  const used = fill(share, queues).reduce((sum, one) => sum + one, 0);
  expect(used).toBe(8);
  expect(fill(share, [queueOf(99n, 99n, "healthy.test", true)])).toEqual([4]);
});

test("accounts take turns, however many workspaces each has", () => {
  const share = new WebhookScheduler({ ...limits, slots: 1 });
  const many = Array.from({ length: 40 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), `host-${n}.test`, true, 1n),
  );
  const order: bigint[] = [];
  for (let n = 0; n < 10; n++) {
    const queue = share.next([...many, queueOf(99n, 99n, "healthy.test", true)]);
    if (queue === undefined) break;
    queue.start();
    share.start(queue).end();
    queue.finish();
    order.push(queue.accountId);
  }
  expect(order.filter((id) => id === 99n)).toHaveLength(5);
});

test("an account has a rate of attempts, over all its workspaces and hosts", () => {
  const share = new WebhookScheduler({ ...limits, accountRate: 1 });
  const queues = Array.from({ length: 40 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), `host-${n}.test`, true, 1n),
  );
  let attempts = 0;
  for (let queue = share.next(queues); queue !== undefined; queue = share.next(queues)) {
    queue.start();
    share.start(queue).end();
    queue.finish();
    attempts++;
  }
  // The attempts of ten seconds at once.
  expect(attempts).toBeGreaterThanOrEqual(10);
  expect(attempts).toBeLessThan(15);
  const waits = queues.filter((queue) => queue.hasWaiting && share.waitMs(queue) > 0);
  expect(waits.length).toBeGreaterThan(0);
  expect(share.next([queueOf(99n, 99n, "healthy.test", true)])).toBeDefined();
});

test("an attempt that its address postpones does not count for its account", () => {
  const share = new WebhookScheduler({ ...limits, hostConcurrency: 1, accountRate: 1 });
  const queues = Array.from({ length: 20 }, (_, n) =>
    queueOf(BigInt(n), 1n, `host-${n}.test`, true),
  );
  const [first, ...others] = queues;
  if (first === undefined) throw new Error("No queue.");
  share.start(first).connect(["203.0.113.1"]);
  for (const queue of others) {
    const use = share.start(queue);
    expect(use.connect(["203.0.113.1"])).toBe(false);
    use.end();
  }
  expect(share.waitMs(queueOf(99n, 1n, "other.test", true))).toBe(0);
});

test("unproven receivers of many workspaces leave half of the slots to proven ones", () => {
  const unproven = Array.from({ length: 12 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), `slow-${n}.test`, false),
  );
  const share = new WebhookScheduler(limits);
  fill(share, unproven);
  expect(share.inFlight).toBe(8);
  const [used] = fill(share, [queueOf(99n, 99n, "healthy.test", true)]);
  expect(used).toBeGreaterThan(2);
});

test("a host gets a limited number of attempts, over all workspaces", () => {
  const queues = Array.from({ length: 6 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), "shared.test", true),
  );
  const used = fill(new WebhookScheduler(limits), queues).reduce((sum, one) => sum + one, 0);
  expect(used).toBe(4);
});

test("a host gets a limited rate of attempts, over all workspaces", () => {
  const share = new WebhookScheduler({ ...limits, hostRate: 3 });
  const queues = [1n, 2n].map((id) => queueOf(id, id, "shared.test", true));
  for (let n = 0; n < 3; n++) {
    const queue = share.next(queues);
    expect(queue).toBeDefined();
    if (queue !== undefined) share.start(queue).end();
  }
  expect(share.next(queues)).toBeUndefined();
  expect(queues.map((queue) => share.waitMs(queue) > 0)).toEqual([true, true]);
});

test("the workspace with the fewest attempts in flight is next", () => {
  const share = new WebhookScheduler(limits);
  const [busy, other] = [queueOf(1n, 1n, "a.test", true), queueOf(2n, 2n, "b.test", true)];
  for (let n = 0; n < 2; n++) {
    busy.start();
    share.start(busy);
  }
  expect(share.next([busy, other])).toBe(other);
});

test("webhooks of one workspace to a stalled receiver do not delay another workspace", async () => {
  const app = await startApp({ env: local, constants: { WEBHOOK_HOST_CONCURRENCY: 4 } });
  onTestFinished(() => app.close());
  const attacker = await hooked(app);
  attacker.hook.receiver.response({ how: "stall" });
  for (let n = 0; n < 40; n++) {
    await hookOf(app, attacker.workspace, {}, attacker.hook.receiver);
  }
  const healthy = await receiverFor(app);
  const victim = await hooked(app, { url: healthy.url });
  healthy.trust(victim.hook.secret);
  for (let n = 0; n < 3; n++) await attacker.add();
  const dispatcher = createDispatcher(app.deps, 16);
  onTestFinished(() => dispatcher.stop(0));
  dispatcher.poll("all");
  while (attacker.hook.receiver.deliveries.length < 4) await new Promise(setImmediate);
  await victim.add();
  dispatcher.poll("all");
  while (healthy.deliveries.length < 1) await new Promise(setImmediate);
  // The delivery did not wait for the end of an attempt to the stalled receiver.
  expect(attacker.hook.receiver.deliveries).toHaveLength(4);
  const ended = { webhook: { url: attacker.hook.receiver.url }, attemptCount: { gt: 0 } };
  expect(await app.db.reader.delivery.count({ where: ended })).toBe(0);
});

test("the webhooks of one account in many workspaces delay no other account, and lose nothing", async () => {
  const app = await startApp({ env: local, constants: { WEBHOOK_ACCOUNT_RATE: 1 } });
  onTestFinished(() => app.close());
  const attacker = await hooked(app);
  const homes = [attacker, await hookedBy(app, attacker), await hookedBy(app, attacker)];
  for (const { add } of homes) for (let n = 0; n < 12; n++) await add();
  const victim = await hooked(app);
  const dispatcher = createDispatcher(app.deps, 16);
  onTestFinished(() => dispatcher.stop(0));
  const startedAt = performance.now();
  const sent = () => homes.reduce((sum, { hook }) => sum + hook.receiver.deliveries.length, 0);
  const limit = () => 10 + Math.ceil((performance.now() - startedAt) / 1_000);
  dispatcher.poll("all");
  await expect.poll(sent).toBeGreaterThanOrEqual(10);
  expect(sent()).toBeLessThanOrEqual(limit());
  await victim.add();
  dispatcher.poll("all");
  await expect.poll(() => victim.hook.receiver.deliveries.length).toBe(1);
  expect(sent()).toBeLessThanOrEqual(limit());
  const { delivery } = app.db.reader;
  const isTheirs = { workspace: { publicId: { not: victim.workspace.publicId } } };
  expect(await delivery.count({ where: { ...isTheirs, status: "failed" } })).toBe(0);
  expect(await delivery.count({ where: { ...isTheirs, status: "pending" } })).toBeGreaterThan(0);
});

test("a poll looks at a limited number of webhooks, and the next one continues", async () => {
  const app = await startApp({ env: local });
  onTestFinished(() => app.close());
  const crowd = await hooked(app);
  await crowd.add();
  await crowdWebhooks(app, crowd.workspace, 2 * webhooksPerPoll);
  const victim = await hooked(app);
  await victim.add();
  const found: number[] = [];
  const seen = new Set<bigint>();
  for (let after = 0n, more = true; more;) {
    const ids = await findPending(app.db.write, after, webhooksPerPoll);
    for (const id of ids) seen.add(id);
    found.push(ids.length);
    after = ids.at(-1) ?? 0n;
    more = ids.length === webhooksPerPoll;
  }
  expect(found).toEqual([webhooksPerPoll, webhooksPerPoll, 2]);
  expect(seen.size).toBe(2 * webhooksPerPoll + 2);
  const dispatcher = createDispatcher(app.deps, 16);
  onTestFinished(() => dispatcher.stop(0));
  for (let poll = 0; poll < 3; poll++) {
    dispatcher.poll("all");
    await dispatcher.drained();
  }
  expect(victim.hook.receiver.deliveries).toHaveLength(1);
});
