import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { nameOf, userLog, workspaceLog } from "../../../src/kernel/events/logs.ts";
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
  const remote = new Set<string>();
  const local = new Set<string>();
  notifier.subscribe(({ log: of, isHere }) => void (isHere ? local : remote).add(nameOf(of)));
  const notify = (id: bigint, hasWork = false) =>
    notifier.notify({ log: workspaceLog(id), hasWork, isHere: true });
  return { notifier, bridge, remote, local, notify };
}

const connections = async () => {
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%wire'`,
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
  test("arrive at the other instances once, and are not sent back", async () => {
    const [one, other, third] = [instance(), instance(), instance()];
    await until(() => one.bridge.otherInstances === 2);
    const returnsInput: string[] = [];
    other.notifier.subscribe(({ log: of }) => void returnsInput.push(nameOf(of)));
    for (let id = 1n; id <= 1_000n; id++) one.notify(id);
    await until(() => other.remote.size === 1_000 && third.remote.size === 1_000);
    expect(one.local.size).toBe(1_000);
    expect(one.remote.size).toBe(0);
    expect(returnsInput).toHaveLength(1_000);
  });

  test("that are close together are sent together", async () => {
    const [one, other] = [instance(), instance()];
    await until(() => one.bridge.otherInstances === 1);
    let notes = 0;
    client.on("notification", ({ payload }) => (notes += payload?.endsWith("hello") ? 0 : 1));
    await client.query("LISTEN workspace_events");
    for (let id = 1n; id <= 1_000n; id++) one.notify((id % 10n) + 1n);
    await until(() => other.remote.size === 10);
    await client.query("UNLISTEN *");
    expect(notes).toBe(1);
  });

  test("say which events concern workers", async () => {
    const [one, other] = [instance(), instance()];
    await until(() => one.bridge.otherInstances === 1);
    const work: string[] = [];
    other.notifier.subscribe(({ log: of, hasWork }) => void (hasWork && work.push(nameOf(of))));
    one.notify(1n, false);
    one.notify(2n, true);
    one.notify(2n, false);
    await until(() => other.remote.size === 2);
    expect(work).toEqual(["2"]);
  });

  test("name the users with events of their own", async () => {
    const [one, other] = [instance(), instance()];
    await until(() => one.bridge.otherInstances === 1);
    const logs = [
      workspaceLog(5n),
      ...Array.from({ length: 1_000 }, (_, nth) => userLog(BigInt(nth))),
    ];
    for (const of of logs) one.notifier.notify({ log: of, hasWork: false, isHere: true });
    await until(() => other.remote.size === logs.length);
    expect(other.remote).toEqual(new Set(logs.map(nameOf)));
  });

  test("of a single instance are not sent", async () => {
    const one = instance();
    await until(async () => (await connections()).length === 1);
    const sent: (string | undefined)[] = [];
    client.on("notification", ({ payload }) => void sent.push(payload));
    await client.query("LISTEN workspace_events");
    one.notify(1n);
    await client.query("SELECT pg_sleep(0.05)");
    await client.query("UNLISTEN *");
    expect(sent.filter((payload) => !payload?.endsWith("hello"))).toEqual([]);
  });

  test("arrive again after the connection was lost, and are dropped while it is", async () => {
    const [one, other] = [instance(), instance()];
    await until(() => one.bridge.otherInstances === 1 && other.bridge.otherInstances === 1);
    const cut = await connections();
    for (const pid of cut) await client.query("SELECT pg_terminate_backend($1)", [pid]);
    one.notify(1n);
    await until(async () => {
      const now = await connections();
      return now.length === 2 && !now.some((pid) => cut.includes(pid));
    });
    await until(() => {
      one.notify(2n);
      return other.remote.has("2");
    });
    expect(one.local).toEqual(new Set(["1", "2"]));
  });
});

test("a bridge to an unreachable database can be stopped", async () => {
  const { notify, bridge } = instance("postgresql://user@127.0.0.1:1/missing");
  notify(1n);
  await expect(bridge.stop()).resolves.toBeUndefined();
});
