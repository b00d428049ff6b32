import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hashingShares, readShares } from "../../src/kernel/request/expensive-work.ts";
import { blocked, shareLimits, expectFairQueue } from "./full-queues.ts";

/** The longest queue here; full-queues.long.test.ts has them at their lengths. */
const longest = 200;

test("the table has each share of the service with a queue", async () => {
  const files = await readdir("src", { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => file.endsWith(".ts")).map((file) => readFile(`src/${file}`, "utf8")),
  );
  const found = texts.flatMap((text) =>
    [...text.matchAll(/new FairShare\(([^{\n]+)\)[;,]/g)].map(([, limits]) => limits),
  );
  expect(found.toSorted()).toEqual(Object.keys(shareLimits).toSorted());
});

test.each(Object.entries(shareLimits))(
  "%s: callers who fill the queue do not stop others",
  async (_, limits) => {
    await expectFairQueue({ ...limits, queue: Math.min(limits.queue, longest) });
  },
);

test("the networks of one IPv6 site are one tenant", async () => {
  const { shares, use, began, refused, endAll } = blocked({ ...hashingShares, queue: 10 });
  const uses: Promise<void>[] = [];
  for (let nth = 1; shares.waiting < 10; nth++) uses.push(use(`2001:db8:1:${nth}::/64`));
  uses.push(use("2001:db8:2:1::/64"), use("2001:db8:2:1::/64"), use("192.0.2.1"));
  await endAll();
  await Promise.all(uses);
  expect(began).toContain("2001:db8:2:1::/64");
  expect(began).toContain("192.0.2.1");
  for (const caller of refused) expect(caller).toMatch(/^2001:db8:1:/);
});

test("in a full queue, users of one workspace take space of those who have more", async () => {
  const { shares, use, refused, endAll } = blocked({ ...readShares, perTenant: 1, queue: 4 });
  for (const caller of ["one", "other"]) shares.assign(caller, "workspace");
  const uses = Array.from({ length: 5 }, () => use("one"));
  expect(shares.waiting).toBe(4);
  uses.push(use("other"), use("other"), use("other"));
  await endAll();
  await Promise.all(uses);
  expect(refused.toSorted()).toEqual(["one", "one", "other"]);
});
