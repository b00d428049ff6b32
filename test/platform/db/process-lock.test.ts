import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createProcessLock } from "../../../src/platform/db/process-lock.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const log = pino({ level: "silent" });
afterAll(() => database.drop());

async function connected() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const isAlive = async (number: number | null) => {
    const { rows } = await client.query("SELECT is_process_alive($1) AS alive", [number]);
    return rows[0].alive;
  };
  const cut = () =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE '%process lock'`);
  return { isAlive, cut };
}

test("a process counts as alive until its lock is closed, and has one number", async () => {
  const { isAlive } = await connected();
  const lock = createProcessLock(database.url, log);
  const other = createProcessLock(database.url, log);
  const [number, again, second] = await Promise.all([lock.number(), lock.number(), other.number()]);
  expect(number).toEqual(expect.any(Number));
  expect(again).toBe(number);
  expect(second).not.toBe(number);
  expect([await isAlive(number), await isAlive(second), await isAlive(null)]).toEqual([
    true,
    true,
    null,
  ]);
  await lock.close();
  expect([await isAlive(number), await isAlive(second)]).toEqual([false, true]);
  expect(await lock.number()).toBeNull();
  await other.close();
});

test("a lost connection ends the number, and the process gets another", async () => {
  const { isAlive, cut } = await connected();
  const lock = createProcessLock(database.url, log);
  onTestFinished(() => lock.close());
  const first = await lock.number();
  let lost = 0;
  const ignore = lock.onLost(() => lost++);
  await cut();
  await expect.poll(() => lost).toBe(1);
  const second = await lock.number();
  // The server ends the connection first, and then releases the lock.
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await isAlive(second)).toBe(true);
  ignore();
  await cut();
  await expect.poll(() => isAlive(second)).toBe(false);
  await expect.poll(() => lock.number()).not.toBe(second);
  expect(lost).toBe(1);
});

test("a database that does not answer gives no number", async () => {
  const lock = createProcessLock("postgres://user:secret@127.0.0.1:1/absent", log);
  expect(await lock.number()).toBeNull();
  await lock.close();
});
