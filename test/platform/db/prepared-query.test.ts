import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { connect } from "../../../src/platform/db/client.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { gatherReads } from "../../../src/platform/db/gather-reads.ts";
import { queryRows } from "../../../src/platform/db/prepared-query.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const { pool, close } = connect(database.url, { size: 1 });
afterAll(async () => {
  await close();
  await database.drop();
});

const at = new Date("2026-01-02T03:04:05.678Z");
const statement = sql`SELECT 1::bigint AS big, ${at}::timestamptz AS at, ARRAY['a', 'b'] AS list,
  '{"a":1}'::jsonb AS json, NULL::int AS empty, ${"text"}::text AS text, true AS flag`;
const row = {
  big: 1n,
  at,
  list: ["a", "b"],
  json: { a: 1 },
  empty: null,
  text: "text",
  flag: true,
};

test("a statement has the same rows when it was described, and the next times", async () => {
  for (let nth = 0; nth < 3; nth++) expect(await queryRows(pool, statement)).toEqual([row]);
});

test("statements that are sent together each have their own rows", async () => {
  const client = await pool.connect();
  const numbers = [1, 2, 3];
  const sent = numbers.map((number) => queryRows(client, sql`SELECT ${number}::int AS number`));
  expect(await Promise.all(sent)).toEqual(numbers.map((number) => [{ number }]));
  client.release();
});

test("an error is that of the statement, and the connection can be used again", async () => {
  const failing = (divisor: number) => queryRows(pool, sql`SELECT 1 / ${divisor}::int AS quotient`);
  expect(await failing(1)).toEqual([{ quotient: 1 }]);
  await expect(failing(0)).rejects.toMatchObject({ code: "22012" });
  expect(await failing(1)).toEqual([{ quotient: 1 }]);
});

test("a read behind the same one, whose first use was cancelled, has its rows", async () => {
  const db = await openDatabase(database.url, 4, pino({ level: "silent" }));
  const holder = await pool.connect();
  await holder.query("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE");
  const read = gatherReads(db.readTogether);
  const count = () => read(sql`SELECT count(*)::int AS number FROM users`);
  const both = Promise.allSettled([count(), count()]);
  const cancelled = async () => {
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_locks
      WHERE NOT granted AND relation = 'users'::regclass`;
    return (await holder.query(cancel)).rowCount;
  };
  await expect.poll(cancelled).toBe(1);
  await holder.query("COMMIT");
  holder.release();
  const timeout = { issues: [{ code: "timeout" }] };
  expect(await both).toMatchObject([{ reason: timeout }, { value: [{ number: 0 }] }]);
  expect(await count()).toEqual([{ number: 0 }]);
  await db.close();
});

test("statements behind a failed one of a transaction work in the next transaction", async () => {
  const db = await openDatabase(database.url, 4, pino({ level: "silent" }));
  const later = sql`SELECT 'later'::text AS later`;
  const run = (divisor: number) =>
    db.transact(async (_, query) => {
      const [, rows] = await Promise.all([
        query(sql`SELECT 1 / ${divisor}::int AS result`),
        query(later),
      ]);
      return rows;
    });
  await expect(run(0)).rejects.toMatchObject({ code: "22012" });
  for (let nth = 0; nth < 4; nth++) expect(await run(1)).toEqual([{ later: "later" }]);
  await db.close();
});
