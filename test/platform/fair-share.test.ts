import { expect, test } from "vitest";
import { FairShare, type ShareLimits } from "../../src/platform/fair-share.ts";

const limits: ShareLimits = {
  size: 2,
  perCaller: 2,
  perTenant: 2,
  queue: 20,
  queuePerCaller: 10,
  waitMs: 60_000,
};

/** Uses that run until they are ended, and the order in which they began. */
function uses(shares: FairShare) {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const use = (caller: string, units = 1) => {
    const run = () => {
      began.push(caller);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return shares.run(caller, run, units);
  };
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { began, use, endAll };
}

test("waiting callers take turns, and each of them in the order of arrival", async () => {
  const { began, use, endAll } = uses(new FairShare(limits));
  const all = ["a", "a", "a", "a", "a", "b", "c", "b"].map((caller) => use(caller));
  await endAll();
  await Promise.all(all);
  expect(began).toEqual(["a", "a", "b", "a", "c", "b", "a", "a"]);
});

test("tenants take turns, whatever the number of their callers", async () => {
  const shares = new FairShare(limits);
  for (const caller of ["a1", "a2", "a3", "a4"]) shares.assign(caller, "a");
  shares.assign("b1", "b");
  const { began, use, endAll } = uses(shares);
  const all = ["a1", "a2", "a3", "a4", "a1", "b1", "b1"].map((caller) => use(caller));
  await endAll();
  await Promise.all(all);
  expect(began).toEqual(["a1", "a2", "b1", "a3", "b1", "a4", "a1"]);
});

test("one caller and one tenant leave capacity to the others", async () => {
  const shares = new FairShare({ ...limits, size: 4, perCaller: 1, perTenant: 2 });
  for (const caller of ["a1", "a2", "a3"]) shares.assign(caller, "a");
  const { began, use, endAll } = uses(shares);
  const all = ["a1", "a1", "a2", "a3", "b", "c"].map((caller) => use(caller));
  await new Promise(setImmediate);
  expect(began.toSorted()).toEqual(["a1", "a2", "b", "c"]);
  await endAll();
  await Promise.all(all);
  expect(began.length).toBe(6);
  expect(shares.waiting).toBe(0);
});

test("a full queue and the longest wait answer 503 with Retry-After, and leave the queue", async () => {
  const overloaded = {
    failure: "SERVICE_UNAVAILABLE",
    headers: { "Retry-After": "1" },
    issues: [{ code: "overloaded" }],
  };
  const shares = new FairShare({ ...limits, size: 1, queuePerCaller: 2, queue: 3, waitMs: 20 });
  const { began, use, endAll } = uses(shares);
  const first = use("a");
  const late = [use("a"), use("a"), use("b")];
  await expect(use("a")).rejects.toMatchObject(overloaded);
  for (const waiting of late) waiting.catch(() => undefined);
  // The caller with the most loses its newest use to the new caller.
  late.push(use("c"));
  await expect(use("d")).rejects.toMatchObject(overloaded);
  for (const waiting of late) await expect(waiting).rejects.toMatchObject(overloaded);
  expect(shares.waiting).toBe(0);
  await endAll();
  await first;
  const next = use("a");
  await endAll();
  await next;
  expect(began).toEqual(["a", "a"]);
});

test("work that waits elsewhere starts by the same order", () => {
  const shares = new FairShare({ size: 4, perCaller: 2, perTenant: 2 });
  const turns = ["a1", "a2", "b1"].map((caller) => ({ caller, tenant: caller.slice(0, 1) }));
  const next = () =>
    turns
      .filter((turn) => shares.hasCapacity(turn))
      .toSorted((one, other) => shares.compare(one, other))[0];
  const order: string[] = [];
  for (let turn = next(); turn !== undefined; turn = next()) {
    shares.start(turn);
    order.push(turn.caller);
  }
  expect(order).toEqual(["a1", "b1", "a2", "b1"]);
});

test("a use that fails releases its share", async () => {
  const shares = new FairShare({ ...limits, size: 1 });
  const failing = shares.run("a", () => Promise.reject(new Error("no")));
  const next = shares.run("b", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("a use of many units waits for its caller's others, and others run beside it", async () => {
  const shares = new FairShare({ ...limits, size: 4, perCaller: 2, perTenant: 2 });
  const { began, use, endAll } = uses(shares);
  const all = [use("a"), use("a", 2), use("a"), use("b", 2), use("b")];
  await new Promise(setImmediate);
  expect(began).toEqual(["a", "b"]);
  await endAll();
  await Promise.all(all);
  expect(began).toEqual(["a", "b", "a", "b", "a"]);
  expect([shares.running, shares.waiting]).toEqual([0, 0]);
});

test("small uses of others do not keep a large one waiting", async () => {
  const { began, use, endAll } = uses(new FairShare({ ...limits, size: 4, queuePerCaller: 20 }));
  const callers = Array.from({ length: 8 }, (_, nth) => `small ${nth}`);
  const all = [...callers.slice(0, 4).map((caller) => use(caller)), use("large", 2)];
  all.push(...callers.slice(4).map((caller) => use(caller)));
  await endAll();
  await Promise.all(all);
  expect(began[4]).toBe("large");
});

test("a use that has more units than a limit runs alone", async () => {
  const { began, use, endAll } = uses(new FairShare(limits));
  const all = [use("a", 5), use("b")];
  await new Promise(setImmediate);
  expect(began).toEqual(["a"]);
  await endAll();
  await Promise.all(all);
  expect(began).toEqual(["a", "b"]);
});
