import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createNotifier } from "../../../src/kernel/events/notifier.ts";
import { connectNotifiers } from "../../../src/outbound/stream/postgres-bridge.ts";
import { freshDatabase, type FreshDatabase } from "../../support/database.ts";

let database: FreshDatabase;
let client: pg.Client;
const log = pino({ level: "silent" });

beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A notifier with a bridge, and the workspaces that it was notified of. */
function instance(url = database.url) {
  const notifier = createNotifier();
  const bridge = connectNotifiers(url, notifier, log);
  onTestFinished(() => bridge.stop());
  const remote = new Set<bigint>();
  const local = new Set<bigint>();
  notifier.subscribe((id, isHere) => (isHere ? local : remote).add(id));
  return { notifier, bridge, remote, local };
}

const connections = async () => {
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%wire' AND query LIKE '%LISTEN%'`,
  );
  return rows.map(({ pid }) => pid as number);
};

async function until(isTrue: () => boolean | Promise<boolean>) {
  for (let count = 0; !(await isTrue()); count++) {
    if (count > 2_000) throw new Error("The condition did not become true.");
    await client.query("SELECT pg_sleep(0.005)");
  }
}

describe("notifications", () => {
  test("arrive at the other instances once, and do not return", async () => {
    const [one, other, third] = [instance(), instance(), instance()];
    await until(async () => (await connections()).length === 3);
    const echoes: bigint[] = [];
    other.notifier.subscribe((id) => echoes.push(id));
    for (let id = 1n; id <= 1_000n; id++) one.notifier.notify(id);
    await until(() => other.remote.size === 1_000 && third.remote.size === 1_000);
    expect(one.local.size).toBe(1_000);
    expect(one.remote.size).toBe(0);
    expect(echoes).toHaveLength(1_000);
  });

  test("that are close together are sent as one", async () => {
    const [one, other] = [instance(), instance()];
    await until(async () => (await connections()).length === 2);
    let notes = 0;
    client.on("notification", () => void notes++);
    await client.query("LISTEN workspace_events");
    for (let id = 1n; id <= 1_000n; id++) one.notifier.notify((id % 10n) + 1n);
    await until(() => other.remote.size === 10);
    await client.query("UNLISTEN *");
    expect(notes).toBe(1);
  });

  test("arrive again after the connection was lost, and are dropped while it is", async () => {
    const [one, other] = [instance(), instance()];
    await until(async () => (await connections()).length === 2);
    const cut = await connections();
    for (const pid of cut) await client.query("SELECT pg_terminate_backend($1)", [pid]);
    one.notifier.notify(1n);
    await until(async () => {
      const now = await connections();
      return now.length === 2 && !now.some((pid) => cut.includes(pid));
    });
    one.notifier.notify(2n);
    await until(() => other.remote.has(2n));
    expect(one.local).toEqual(new Set([1n, 2n]));
  });
});

test("a bridge to an unreachable database can be stopped", async () => {
  const { notifier, bridge } = instance("postgresql://user@127.0.0.1:1/missing");
  notifier.notify(1n);
  await expect(bridge.stop()).resolves.toBeUndefined();
});
