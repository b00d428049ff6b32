import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { sharedDatabase } from "../../../src/platform/db/shared-database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const db = await openDatabase(database.url, 10, pino({ level: "silent" }));
const { read } = sharedDatabase(db, "user one");
afterAll(async () => {
  await db.close();
  await database.drop();
});

const backend = sql`SELECT pg_backend_pid() AS id`;
const backendsOf = async (query: typeof read, count: number) => {
  const sent = Array.from({ length: count }, () => query<{ id: number }>(backend));
  return (await Promise.all(sent)).flat().map(({ id }) => id);
};

test("reads of a caller that begin together share a connection, up to four", async () => {
  const ids = await backendsOf(read, 8);
  expect(new Set(ids.slice(0, 4)).size).toBe(1);
  expect(new Set(ids.slice(4)).size).toBe(1);
  expect(new Set(ids).size).toBe(2);
});

test("reads of different callers do not share a connection", async () => {
  const other = sharedDatabase(db, "user two");
  const [ours, theirs] = await Promise.all([backendsOf(read, 2), backendsOf(other.read, 2)]);
  expect(ours).not.toEqual(expect.arrayContaining(theirs));
});

test("each read has its own rows, and the failure of one is its own", async () => {
  const quotient = (divisor: number) => read(sql`SELECT 6 / ${divisor}::int AS quotient`);
  const results = await Promise.allSettled([1, 0, 2, 3].map(quotient));
  expect(results.map((result) => ("value" in result ? result.value : "failed"))).toEqual([
    [{ quotient: 6 }],
    "failed",
    [{ quotient: 3 }],
    [{ quotient: 2 }],
  ]);
  expect(results[1]).toMatchObject({ reason: { code: "22012" } });
});

const ending = sql`SELECT pg_terminate_backend(pg_backend_pid())`;
const lost = { reason: { failure: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "1" } } };

test("a read whose connection another one has ended runs again, on another connection", async () => {
  const [ended, ...others] = await Promise.allSettled([read(ending), read(backend), read(backend)]);
  expect(ended).toMatchObject(lost);
  for (const other of others) {
    expect(other).toMatchObject({ value: [{ id: expect.any(Number) }] });
  }
  expect(await backendsOf(read, 1)).toHaveLength(1);
});

test("a single read whose connection ends runs once more, and then is a 503", async () => {
  const [once] = await Promise.allSettled([db.read(ending)]);
  expect(once).toMatchObject(lost);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("SELECT pg_advisory_lock(1)");
  const slow = db.read(sql`SELECT pg_advisory_xact_lock_shared(1), 1 AS one`);
  const end = sql`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(() => db.read<{ ended: boolean }>(end)).toEqual([{ ended: true }]);
  await holder.query("SELECT pg_advisory_unlock(1)");
  expect(await slow).toMatchObject([{ one: 1 }]);
});

test("a read that begins together with others sees what was committed before it began", async () => {
  const rows = async () =>
    (await read<{ n: number }>(sql`SELECT count(*)::int AS n FROM users`))[0];
  expect(await rows()).toEqual({ n: 0 });
  await db.transact((prisma) =>
    prisma.user.create({ data: { publicId: "a", email: "a@example.org", name: "N" } }),
  );
  expect(await Promise.all([rows(), rows()])).toEqual([{ n: 1 }, { n: 1 }]);
});
