import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { gatherReads } from "../../../src/platform/db/gather-reads.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { type PrismaTransaction } from "../../../src/platform/db/transaction.ts";
import type { Query } from "../../../src/platform/db/query.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const db = await openDatabase(database.url, 4, pino({ level: "silent" }));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const insert = (prisma: PrismaTransaction, publicId: string) =>
  prisma.user.create({ data: { publicId, email: `${publicId}@example.org`, name: "N" } });
const names = async (prefix: string, query: Query = db.read) => {
  const rows = await query<{ publicId: string }>(
    sql`SELECT "publicId" FROM users WHERE "publicId" LIKE ${`${prefix}%`} ORDER BY 1`,
  );
  return rows.map(({ publicId }) => publicId);
};

test("models and statements of one transaction see each other's writes, others do not until it commits", async () => {
  await db.transact(async (prisma, query) => {
    await insert(prisma, "a1");
    await query(sql`INSERT INTO users ("publicId", email, name) VALUES (${"a2"}, ${"a2@x"}, 'N')`);
    expect(await names("a", query)).toEqual(["a1", "a2"]);
    expect(await prisma.user.count({ where: { publicId: { startsWith: "a" } } })).toBe(2);
    expect(await names("a")).toEqual([]);
  });
  expect(await names("a")).toEqual(["a1", "a2"]);
});

test("an exception rolls back the writes of models and of statements", async () => {
  const failing = db.transact(async (prisma, query) => {
    await query(sql`INSERT INTO users ("publicId", email, name) VALUES (${"b1"}, ${"b1@x"}, 'N')`);
    await insert(prisma, "b2");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await names("b")).toEqual([]);
});

test("a transaction with an ignored failure throws and rolls back", async () => {
  const failing = db.transact(async (prisma, query) => {
    await insert(prisma, "c1");
    await query(sql`SELECT 1 / ${0}::int`).catch(() => undefined);
  });
  await expect(failing).rejects.toThrow(/division by zero/);
  expect(await names("c")).toEqual([]);
});

test("the error of a transaction and of a snapshot is that of the first statement that failed", async () => {
  const run = async (query: Query) => {
    const first = query(sql`SELECT 1 / ${0}::int`);
    const late = first.catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw error;
    });
    await Promise.all([late, query(sql`SELECT 1`)]);
  };
  await expect(db.transact((_, query) => run(query))).rejects.toThrow(/division by zero/);
  await expect(db.readSnapshot(run)).rejects.toThrow(/division by zero/);
});

test("concurrent transactions with models and statements are isolated", async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, nth) =>
      db
        .transact(async (prisma, query) => {
          const id = `d${String(nth).padStart(2, "0")}`;
          await Promise.all([insert(prisma, id), query(sql`SELECT pg_sleep(0.001)`)]);
          expect(await names("d", query)).toContain(id);
          if (nth % 2 === 1) throw new Error("odd");
        })
        .catch((error: unknown) => expect(error).toHaveProperty("message", "odd")),
    ),
  );
  const even = Array.from({ length: 20 }, (_, nth) => `d${String(nth * 2).padStart(2, "0")}`);
  expect(await names("d")).toEqual(even);
});

test("a lost connection is a 503, and the next transaction gets a new connection", async () => {
  const lose = (query: Query) => query(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
  const unavailable = { failure: "SERVICE_UNAVAILABLE" };
  await expect(db.transact((_, query) => lose(query))).rejects.toMatchObject(unavailable);
  const byModel = db.transact(async (prisma, query) => {
    await insert(prisma, "e1");
    await lose(query).catch(() => undefined);
    await insert(prisma, "e2");
  });
  await expect(byModel).rejects.toMatchObject(unavailable);
  await db.transact((prisma) => insert(prisma, "e3"));
  expect(await names("e")).toEqual(["e3"]);
});

test("a migration that changes the type of a column fails no call", async () => {
  const one = await openDatabase(database.url, 4, pino({ level: "silent" }));
  const numbers = (query: Query) => query(sql`SELECT number FROM changing`);
  const change = (type: Sql) =>
    one.transact((_, query) => query(sql`ALTER TABLE changing ALTER number TYPE ${type}`));
  await one.transact((_, query) => query(sql`CREATE TABLE changing AS SELECT 1::int AS number`));
  expect(await one.transact((_, query) => numbers(query))).toEqual([{ number: 1 }]);
  await change(sql`bigint`);
  const gathered = gatherReads(one.readTogether);
  const all = () =>
    Promise.all([
      one.transact((_, query) => numbers(query)),
      one.readSnapshot(numbers),
      numbers(one.read),
      numbers(gathered),
    ]);
  const of = (number: unknown) => Array.from({ length: 4 }, () => [{ number }]);
  // Every connection knows the statement.
  for (let round = 0; round < 3; round++) expect(await all()).toEqual(of(1n));
  for (const type of ["text", "varchar", "text"]) {
    await change(sql.identifier(type));
    expect(await all()).toEqual(of("1"));
  }
  await one.close();
});

test("a statement that writes runs again after a failure that has undone it", async () => {
  await db.write(sql`CREATE SEQUENCE runs`);
  await db.write(sql`CREATE FUNCTION fail_first(failure text) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE run bigint := nextval('runs');
    BEGIN
      IF run % 2 = 1 THEN RAISE EXCEPTION 'failed' USING ERRCODE = failure; END IF;
      RETURN run;
    END $$`);
  for (const [nth, failure] of ["40P01", "40001", "55P03"].entries()) {
    const rows = await db.write(sql`SELECT fail_first(${failure}) AS run`);
    expect(rows).toEqual([{ run: BigInt(2 * (nth + 1)) }]);
  }
  await expect(db.write(sql`SELECT fail_first(${"23505"}) AS run`)).rejects.toThrow("failed");
});

test("a write that others stop each time is a 503, and no internal error", async () => {
  await db.write(sql`CREATE FUNCTION fail_always(failure text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'failed' USING ERRCODE = failure; END $$`);
  for (const failure of ["40P01", "40001", "55P03"]) {
    const fails = (query: Query) => query(sql`SELECT fail_always(${failure})`);
    const overloaded = { issues: [expect.objectContaining({ code: "overloaded" })] };
    await expect(fails(db.write)).rejects.toMatchObject(overloaded);
    await expect(db.transact((_, query) => fails(query))).rejects.toMatchObject(overloaded);
  }
});
