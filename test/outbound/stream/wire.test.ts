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

/** A bell with a line to the others, and all that it has heard of theirs. */
function instance(url = database.url) {
  const bell = createNotifier();
  const wire = connectNotifiers(url, bell, log);
  onTestFinished(() => wire.stop());
  const heard = new Set<bigint>();
  const own = new Set<bigint>();
  bell.subscribe((id, isHere) => (isHere ? own : heard).add(id));
  return { bell, wire, heard, own };
}

const lines = async () => {
  const { rows } = await client.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%wire' AND query LIKE '%LISTEN%'`,
  );
  return rows.map(({ pid }) => pid as number);
};

async function until(isSo: () => boolean | Promise<boolean>) {
  for (let count = 0; !(await isSo()); count++) {
    if (count > 2_000) throw new Error("It did not come to that.");
    await client.query("SELECT pg_sleep(0.005)");
  }
}

describe("rings", () => {
  test("reach the other instances, once, and do not come back", async () => {
    const [one, other, third] = [instance(), instance(), instance()];
    await until(async () => (await lines()).length === 3);
    const echoes: bigint[] = [];
    other.bell.subscribe((id) => echoes.push(id));
    for (let id = 1n; id <= 1_000n; id++) one.bell.notify(id);
    await until(() => other.heard.size === 1_000 && third.heard.size === 1_000);
    expect(one.own.size).toBe(1_000);
    expect(one.heard.size).toBe(0);
    expect(echoes).toHaveLength(1_000);
  });

  test("go in few notifications, however close together they are", async () => {
    const [one, other] = [instance(), instance()];
    await until(async () => (await lines()).length === 2);
    let notes = 0;
    client.on("notification", () => void notes++);
    await client.query("LISTEN workspace_events");
    for (let id = 1n; id <= 1_000n; id++) one.bell.notify((id % 10n) + 1n);
    await until(() => other.heard.size === 10);
    await client.query("UNLISTEN *");
    expect(notes).toBe(1);
  });

  test("are heard again after the line was cut, and cost nothing while it is", async () => {
    const [one, other] = [instance(), instance()];
    await until(async () => (await lines()).length === 2);
    const cut = await lines();
    for (const pid of cut) await client.query("SELECT pg_terminate_backend($1)", [pid]);
    one.bell.notify(1n);
    await until(async () => {
      const now = await lines();
      return now.length === 2 && !now.some((pid) => cut.includes(pid));
    });
    one.bell.notify(2n);
    await until(() => other.heard.has(2n));
    expect(one.own).toEqual(new Set([1n, 2n]));
  });
});

test("a line to a database that is not there can be stopped", async () => {
  const { bell, wire } = instance("postgresql://nobody@127.0.0.1:1/none");
  bell.notify(1n);
  await expect(wire.stop()).resolves.toBeUndefined();
});
