import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import {
  hashingShares,
  outgoingShares,
  readShares,
} from "../../src/kernel/request/expensive-work.ts";
import { batchShares } from "../../src/kernel/request/http-batch.ts";
import { receiveShares } from "../../src/kernel/request/uploads.ts";
import { connectionShares } from "../../src/platform/db/database.ts";
import { snapshotShares } from "../../src/platform/db/snapshot-slots.ts";
import { systemShares } from "../../src/platform/http/address-guard.ts";
import { FairShare, type ShareLimits } from "../../src/platform/fair-share.ts";
import { tailShares } from "../../src/outbound/stream/log-tails.ts";
import { uploadShares } from "../../src/transfer/imports/uploads.ts";
import { examinationShares } from "../../src/transfer/imports/workspace.ts";

/** The shares of the service, by the expressions that create them. */
export const shareLimits: Record<string, ShareLimits> = {
  batchShares,
  "connectionShares(size, waitMs)": connectionShares(10),
  examinationShares,
  hashingShares,
  "limits.receiveShares": receiveShares,
  outgoingShares,
  readShares,
  "snapshotShares, refusal": snapshotShares,
  systemShares,
  tailShares,
  uploadShares,
};

/** A share whose uses run until they are ended. */
export function blocked(limits: ShareLimits) {
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

/** Expects that another caller gets a turn although many callers fill the queue. */
export async function expectFairQueue(limits: ShareLimits): Promise<void> {
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
}
