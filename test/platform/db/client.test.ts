import { afterAll, expect, test } from "vitest";
import { connect } from "../../../src/platform/db/client.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const { prisma: open, pool, close } = connect(database.url, { size: 4 });
const prisma = await open();
afterAll(async () => {
  await close();
  await database.drop();
});

const insert = (publicId: string) =>
  prisma.user.create({
    data: {
      publicId,
      email: `${publicId}@example.org`,
      name: "N",
      createdAt: new Date("2026-01-02T03:04:05.678Z"),
    },
  });

test("numbers of eight bytes are bigints and times are dates, on the pool as in Prisma", async () => {
  const user = await insert("u1");
  const { rows } = await pool.query('SELECT id, "createdAt" FROM users WHERE "publicId" = $1', [
    "u1",
  ]);
  expect(rows).toEqual([{ id: user.id, createdAt: user.createdAt }]);
  expect(typeof user.id).toBe("bigint");
  const [raw] = await prisma.$queryRawUnsafe<unknown[]>(
    'SELECT id, "createdAt" FROM users WHERE id = $1',
    user.id,
  );
  expect(raw).toEqual(rows[0]);
});

test("times are correct when the server has another time zone", async () => {
  const elsewhere = await freshDatabase();
  const name = new URL(elsewhere.url).pathname.slice(1);
  await pool.query(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  const there = connect(elsewhere.url);
  const at = new Date("2026-07-01T12:00:00.000Z");
  const made = await (
    await there.prisma()
  ).user.create({
    data: { publicId: "t", email: "t@example.org", name: "T", createdAt: at },
  });
  expect(made.createdAt).toEqual(at);
  const { rows } = await there.pool.query(
    'SELECT extract(epoch FROM "createdAt")::int AS s FROM users',
  );
  expect(rows).toEqual([{ s: at.getTime() / 1000 }]);
  await there.close();
  await elsewhere.drop();
});

test("connections that the server ends while idle are replaced, and end nothing else", async () => {
  await Promise.all([1, 2, 3, 4].map(() => pool.query("SELECT pg_sleep(0.01)")));
  const killer = connect(database.url);
  await killer.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await killer.close();
  await expect
    .poll(() =>
      pool.query("SELECT 1 AS one").then(
        ({ rows }) => rows,
        () => undefined,
      ),
    )
    .toEqual([{ one: 1 }]);
});

test("the database ends statements and transactions after 4 s, or as its address says", async () => {
  const address = new URL(database.url);
  const timeouts = async (options: string) => {
    address.searchParams.set("options", options);
    const one = connect(address.href, { size: 1 });
    const { rows } = await one.pool.query(
      "SELECT name, setting::int AS ms FROM pg_settings WHERE name LIKE ANY ($1) ORDER BY name",
      [["statement_timeout", "idle_in_transaction_session_timeout"]],
    );
    await one.close();
    return rows;
  };
  expect(await timeouts("")).toEqual([
    { name: "idle_in_transaction_session_timeout", ms: 4_000 },
    { name: "statement_timeout", ms: 4_000 },
  ]);
  expect(await timeouts("-c statement_timeout=7s")).toEqual([
    { name: "idle_in_transaction_session_timeout", ms: 4_000 },
    { name: "statement_timeout", ms: 7_000 },
  ]);
});

/**
 * A second instance of the module: other files of this worker have filled the names of the first.
 */
async function freshModule(): Promise<typeof import("../../../src/platform/db/client.ts")> {
  const path = "../../../src/platform/db/client.ts?second";
  return import(path);
}

test("the same SQL is prepared once per connection", async () => {
  const fresh = await freshModule();
  const { statementName } = fresh;
  const one = fresh.connect(database.url, { size: 1 });
  const sql = "SELECT $1::int AS n";
  expect(statementName(sql)).toBe(statementName(sql));
  await one.pool.query({ name: statementName(sql), text: sql, values: [1] });
  const client = await one.prisma();
  await client.$queryRawUnsafe(sql, 2);
  await client.$transaction((inside) => inside.$queryRawUnsafe(sql, 3));
  const { rows } = await one.pool.query(
    "SELECT generic_plans + custom_plans AS uses FROM pg_prepared_statements WHERE statement = $1",
    [sql],
  );
  expect(rows).toEqual([{ uses: 3n }]);
  await one.close();
});

test("the number of prepared statements is limited", async () => {
  const { statementName } = await freshModule();
  const names = Array.from({ length: 1_500 }, (_, n) => statementName(`SELECT ${n}, $1`));
  expect(new Set(names).size).toBeLessThanOrEqual(1_001);
  expect(names.at(-1)).toBe("");
});
