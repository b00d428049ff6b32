import { expect, onTestFinished, test } from "vitest";
import { createDispatcher } from "../../../src/outbound/webhooks/dispatch/dispatcher.ts";
import { FairShare } from "../../../src/outbound/webhooks/dispatch/fair-share.ts";
import { startApp } from "../../support/app.ts";
import { fill, queueOf } from "./queues.ts";
import { hooked, hookOf, local, receiverFor } from "./hook.ts";

const limits = { slots: 16, hostConcurrency: 4, hostRate: 1_000 };

test("one workspace gets at most half of the slots", () => {
  const queues = [1n, 2n, 3n, 4n].map((id) => queueOf(id, 1n, `host-${id}.test`, true));
  const used = fill(new FairShare(limits), queues).reduce((sum, one) => sum + one, 0);
  expect(used).toBe(8);
});

test("unproven targets of many workspaces leave half of the slots to proven ones", () => {
  const unproven = Array.from({ length: 12 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), `slow-${n}.test`, false),
  );
  const share = new FairShare(limits);
  fill(share, unproven);
  expect(share.inFlight).toBe(8);
  const [used] = fill(share, [queueOf(99n, 99n, "healthy.test", true)]);
  expect(used).toBeGreaterThan(2);
});

test("a host gets a limited number of attempts, over all workspaces", () => {
  const queues = Array.from({ length: 6 }, (_, n) =>
    queueOf(BigInt(n), BigInt(n), "shared.test", true),
  );
  const used = fill(new FairShare(limits), queues).reduce((sum, one) => sum + one, 0);
  expect(used).toBe(4);
});

test("a host gets a limited rate of attempts, over all workspaces", () => {
  const share = new FairShare({ ...limits, hostRate: 3 });
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
  const share = new FairShare(limits);
  const [busy, other] = [queueOf(1n, 1n, "a.test", true), queueOf(2n, 2n, "b.test", true)];
  for (let n = 0; n < 2; n++) {
    busy.start();
    share.start(busy);
  }
  expect(share.next([busy, other])).toBe(other);
});

test("webhooks of one workspace to a stalled target do not delay another workspace", async () => {
  const app = await startApp({ env: { ...local, WEBHOOK_HOST_CONCURRENCY: "4" } });
  onTestFinished(() => app.close());
  const attacker = await hooked(app);
  attacker.hook.receiver.answer({ how: "stall" });
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
  // The delivery did not wait for the end of an attempt to the stalled target.
  expect(attacker.hook.receiver.deliveries).toHaveLength(4);
  const ended = { webhook: { url: attacker.hook.receiver.url }, attemptCount: { gt: 0 } };
  expect(await app.db.reader.delivery.count({ where: ended })).toBe(0);
});
