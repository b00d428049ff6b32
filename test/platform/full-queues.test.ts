import { readdir, readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  anonymousReadShares,
  hashingShares,
  largeReadShares,
  outgoingShares,
  pageReadShares,
} from "../../src/kernel/request/expensive-work.ts";
import { receiveShares } from "../../src/kernel/request/uploads.ts";
import { connectionShares } from "../../src/platform/db/connection-shares.ts";
import { systemShares } from "../../src/platform/http/address-guard.ts";
import { FairShare, type ShareLimits } from "../../src/platform/fair-share.ts";
import { uploadShares } from "../../src/transfer/imports/uploads.ts";
import { examinationShares } from "../../src/transfer/imports/workspace.ts";

const all: Record<string, ShareLimits> = {
  anonymousReadShares,
  "connectionShares(size)": connectionShares(10),
  examinationShares,
  hashingShares,
  largeReadShares,
  "limits.receiveShares": receiveShares,
  outgoingShares,
  pageReadShares,
  systemShares,
  uploadShares,
};

/** A share whose uses run until they are ended. */
function blocked(limits: ShareLimits) {
  const shares = new FairShare({ ...limits, waitMs: 60_000 });
  const ends = new Set<() => void>();
  const began = new Set<string>();
  const refused: string[] = [];
  const use = (caller: string) =>
    shares
      .run(caller, () => {
        began.add(caller);
        return new Promise<void>((resolve) => ends.add(resolve));
      })
      .catch(() => void refused.push(caller));
  const endAll = async () => {
    while (ends.size > 0) {
      for (const end of ends) end();
      ends.clear();
      await turn();
    }
  };
  return { shares, use, began, refused, endAll };
}

test("the table has each share of the service", async () => {
  const files = await readdir("src", { recursive: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith(".ts") && !file.includes("webhooks"))
      .map((file) => readFile(`src/${file}`, "utf8")),
  );
  const found = texts.flatMap((text) =>
    [...text.matchAll(/new FairShare\((.+)\)[;,]/g)].map(([, limits]) => limits),
  );
  expect(found.toSorted()).toEqual(Object.keys(all).toSorted());
});

test.each(Object.entries(all))(
  "%s: callers who fill the queue do not stop others",
  async (_, limits) => {
    const { shares, use, began, endAll } = blocked(limits);
    const uses: Promise<void>[] = [];
    const perCaller = limits.perCaller + 2;
    for (let nth = 0; shares.waiting < limits.queue; nth++) {
      uses.push(use(`user ${Math.floor(nth / perCaller)}`));
    }
    uses.push(use("another"));
    expect(shares.waiting).toBeLessThanOrEqual(limits.queue);
    await endAll();
    await Promise.all(uses);
    expect(began).toContain("another");
    expect(shares.waiting).toBe(0);
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
  const { shares, use, refused, endAll } = blocked({ ...largeReadShares, queue: 4 });
  for (const caller of ["one", "other"]) shares.assign(caller, "workspace");
  const uses = Array.from({ length: 5 }, () => use("one"));
  expect(shares.waiting).toBe(4);
  uses.push(use("other"), use("other"), use("other"));
  await endAll();
  await Promise.all(uses);
  expect(refused.toSorted()).toEqual(["one", "one", "other"]);
});
