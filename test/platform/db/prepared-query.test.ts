import { afterAll, expect, test } from "vitest";
import { connect, statementName } from "../../../src/platform/db/client.ts";
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

test("a statement describes its columns once on a connection", async () => {
  const client = await pool.connect();
  const described: string[] = [];
  // The types of `pg` have no connection.
  const { connection }: { connection?: NodeJS.EventEmitter } = { ...client };
  connection?.on("rowDescription", () => described.push("again"));
  const statementOf = (nth: number) => sql`SELECT ${nth}::int AS described`;
  for (let nth = 0; nth < 3; nth++) await queryRows(client, statementOf(nth));
  client.release();
  // A process names a limited number of statements, which earlier tests may have used up.
  const isNamed = statementName(statementOf(0).text) !== "";
  expect(described).toHaveLength(isNamed ? 1 : 3);
});

test("rows of texts are what PostgreSQL sends", async () => {
  const texts = sql`SELECT 1::bigint, true, NULL::text, '2026-01-02'::date`.asTexts();
  for (let nth = 0; nth < 2; nth++) {
    expect(await queryRows(pool, texts)).toEqual([["1", "t", null, "2026-01-02"]]);
  }
});

test("an error is that of the statement, and the connection can be used again", async () => {
  const failing = (divisor: number) => queryRows(pool, sql`SELECT 1 / ${divisor}::int AS quotient`);
  expect(await failing(1)).toEqual([{ quotient: 1 }]);
  await expect(failing(0)).rejects.toMatchObject({ code: "22012" });
  expect(await failing(1)).toEqual([{ quotient: 1 }]);
});

test("a statement behind the same one, whose first use was cancelled, has its rows", async () => {
  const { pool: other, close: closeOther } = connect(database.url, { size: 2 });
  const [holder, client] = await Promise.all([other.connect(), other.connect()]);
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  await holder.query("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE");
  const count = () => queryRows(client, sql`SELECT count(*)::int AS number FROM users`);
  const both = Promise.allSettled([count(), count()]);
  const isCancelled = async () => {
    const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE pid = $1 AND NOT granted";
    const { rows: locks } = await holder.query(waiting, [rows[0].pid]);
    if (locks[0].n === 0) return false;
    await holder.query("SELECT pg_cancel_backend($1)", [rows[0].pid]);
    return true;
  };
  await expect.poll(isCancelled).toBe(true);
  await holder.query("COMMIT");
  expect(await both).toMatchObject([{ reason: { code: "57014" } }, { value: [{ number: 0 }] }]);
  expect(await count()).toEqual([{ number: 0 }]);
  holder.release();
  client.release();
  await closeOther();
});
