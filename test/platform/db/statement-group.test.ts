import { afterAll, beforeEach, expect, test } from "vitest";
import { connect } from "../../../src/platform/db/client.ts";
import { queryRows, send } from "../../../src/platform/db/prepared-query.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const { pool, close } = connect(database.url, { size: 1 });
const client = await pool.connect();
afterAll(async () => {
  client.release();
  await close();
  await database.drop();
});

// The types of `pg` have no connection.
const { connection }: { connection?: NodeJS.EventEmitter & { sync(): void } } = { ...client };
let syncs = 0;
const sync = connection?.sync.bind(connection);
Reflect.set(connection ?? {}, "sync", () => {
  syncs++;
  sync?.();
});
beforeEach(() => {
  syncs = 0;
});

const grouped = <Row>(statement: Sql) => send<Row>(client, statement, { isGrouped: true });
const number = (value: number) => sql`SELECT ${value}::int AS number`;
const quotient = (divisor: number) => sql`SELECT 1 / ${divisor}::int AS quotient`;

test("statements that are sent together have one Sync, and each its own rows and tag", async () => {
  for (let time = 0; time < 2; time++) {
    syncs = 0;
    const statements = [sql`BEGIN`, number(1), quotient(1), number(2), sql`COMMIT`];
    expect(await Promise.all(statements.map(grouped))).toEqual([
      { rows: [], tag: "BEGIN" },
      { rows: [{ number: 1 }], tag: "SELECT 1" },
      { rows: [{ quotient: 1 }], tag: "SELECT 1" },
      { rows: [{ number: 2 }], tag: "SELECT 1" },
      { rows: [], tag: "COMMIT" },
    ]);
    expect(syncs).toBe(1);
  }
});

test("statements after a failed one are skipped with its error, and work later", async () => {
  // The names of these are new: PostgreSQL skips their definition, too.
  const later = [sql`SELECT 'a'::text AS a`, sql`SELECT 'b'::text AS b`];
  const sent = [sql`BEGIN`, number(1), quotient(0), ...later, sql`COMMIT`].map(grouped);
  const error = { status: "rejected", reason: { code: "22012" } };
  const fulfilled = { status: "fulfilled" };
  const expected = [fulfilled, fulfilled, error, error, error, error];
  expect(await Promise.allSettled(sent)).toMatchObject(expected);
  expect((await client.query("ROLLBACK")).command).toBe("ROLLBACK");
  const again = await Promise.all([sql`BEGIN`, ...later, sql`COMMIT`].map(grouped));
  expect(again.map(({ rows }) => rows)).toEqual([[], [{ a: "a" }], [{ b: "b" }], []]);
});

test("a query in no group ends the group before it, and fails for itself", async () => {
  const before = [sql`BEGIN`, number(1)].map(grouped);
  const between = client.query("SELECT 2 AS number");
  const alone = queryRows(client, number(3));
  const after = [quotient(0), number(4)].map(grouped);
  const end = client.query("ROLLBACK");
  expect(await Promise.all(before)).toMatchObject([{ tag: "BEGIN" }, { rows: [{ number: 1 }] }]);
  expect((await between).rows).toEqual([{ number: 2 }]);
  expect(await alone).toEqual([{ number: 3 }]);
  const error = { status: "rejected", reason: { code: "22012" } };
  expect(await Promise.allSettled(after)).toMatchObject([error, error]);
  expect((await end).command).toBe("ROLLBACK");
  expect(await queryRows(client, number(5))).toEqual([{ number: 5 }]);
});

test("a connection that is lost fails every statement of its groups", async () => {
  const { pool: other, close: closeOther } = connect(database.url, { size: 1 });
  const lost = await other.connect();
  lost.on("error", () => undefined);
  const [row] = await queryRows<{ pid: number }>(lost, sql`SELECT pg_backend_pid() AS pid`);
  const run = (statement: Sql) => send(lost, statement, { isGrouped: true });
  const sent = [sql`BEGIN`, sql`SELECT pg_sleep(60)`, number(1)].map(run);
  const settled = Promise.allSettled(sent);
  const ends = async () => {
    const asleep = sql`SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
      WHERE pid = ${row?.pid ?? 0}::int AND wait_event = 'PgSleep'`;
    return (await queryRows(client, asleep)).length;
  };
  await expect.poll(ends).toBe(1);
  const failed = { status: "rejected" };
  expect(await settled).toMatchObject([{ status: "fulfilled" }, failed, failed]);
  lost.release(true);
  await closeOther();
});
