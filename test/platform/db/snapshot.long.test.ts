import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { createSnapshots } from "../../../src/platform/db/snapshot.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const log = pino({ level: "silent" });
afterAll(() => database.drop());

test("a slow reader loses its snapshot when another waits, and not before", async () => {
  const snapshots = createSnapshots(database.url, log, {
    pauseMs: 20,
    totalMs: 100,
    idleMs: 60_000,
  });
  try {
    const slow = await snapshots.open(1n);
    await slow.query(sql`SELECT 1`);
    const others = await Promise.all([1n, 2n, 2n].map((who) => snapshots.open(who)));
    await pause(150);
    expect(await slow.query(sql`SELECT 1`)).toHaveLength(1);
    const opening = snapshots.open(3n);
    await expect(opening).resolves.toBeDefined();
    await expect(slow.query(sql`SELECT 1`)).rejects.toMatchObject({
      failure: "SERVICE_UNAVAILABLE",
    });
    for (const other of others) expect(await other.query(sql`SELECT 1`)).toHaveLength(1);
  } finally {
    await snapshots.close();
  }
});

test("readers with many short pauses lose a snapshot when another waits", async () => {
  const limits = { pauseMs: 60_000, totalMs: 60_000, idleMs: 100 };
  const snapshots = createSnapshots(database.url, log, limits);
  try {
    const open = await Promise.all([1n, 1n, 2n, 2n].map((who) => snapshots.open(who)));
    for (let page = 0; page < 12; page++) {
      for (const one of open) await one.query(sql`SELECT 1`);
      await pause(10);
    }
    await expect(snapshots.open(3n)).resolves.toBeDefined();
    const left = await Promise.allSettled(open.map((one) => one.query(sql`SELECT 1`)));
    expect(left.filter(({ status }) => status === "rejected")).toHaveLength(1);
  } finally {
    await snapshots.close();
  }
});

test("a reader that waits too long for a snapshot gets 503, or 429 over its own limit", async () => {
  const snapshots = createSnapshots(database.url, log);
  try {
    const open = await Promise.all([1n, 1n, 2n, 2n].map((who) => snapshots.open(who)));
    const refused = await Promise.allSettled([snapshots.open(1n), snapshots.open(3n)]);
    expect(refused).toMatchObject([
      { reason: { failure: "TOO_MANY_REQUESTS" } },
      { reason: { failure: "SERVICE_UNAVAILABLE" } },
    ]);
    for (const one of open) expect(await one.query(sql`SELECT 1`)).toHaveLength(1);
  } finally {
    await snapshots.close();
  }
});

test("a snapshot that ends is followed by one of the user who has the fewest", async () => {
  const snapshots = createSnapshots(database.url, log);
  try {
    const [first] = await Promise.all([1n, 1n, 2n, 2n].map((who) => snapshots.open(who)));
    const opened: bigint[] = [];
    const opening = [1n, 1n, 2n, 2n, 3n].map(async (who) => {
      await snapshots.open(who);
      opened.push(who);
    });
    await first?.close();
    await Promise.allSettled(opening);
    expect(opened).toEqual([3n]);
  } finally {
    await snapshots.close();
  }
});
