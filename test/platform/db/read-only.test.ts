import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { sqlState } from "../../../src/platform/db/database-errors.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const db = await openDatabase(database.url, 2, pino({ level: "silent" }));

beforeAll(async () => {
  await db.write(sql`INSERT INTO users ("publicId", email, name)
    VALUES ('ann', 'ann@example.org', 'Ann')`);
  await db.write(sql`CREATE FUNCTION rename() RETURNS void LANGUAGE sql
    AS $$ UPDATE users SET name = 'Eve' $$`);
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const nameOf = async () => (await db.reader.user.findFirst())?.name;
/** The SQLSTATE with which a statement is refused. */
const refusal = (run: Promise<unknown>) =>
  run.then(
    () => "none",
    (error: unknown) => sqlState(error),
  );

describe("the handle of queries", () => {
  const readOnly = "25006";

  test.each([
    ["UPDATE", sql`UPDATE users SET name = 'Eve'`],
    [
      "INSERT",
      sql`INSERT INTO users ("publicId", email, name) VALUES ('e', 'e@example.org', 'Eve')`,
    ],
    ["DELETE", sql`DELETE FROM users`],
    ["a SELECT that calls a function that writes", sql`SELECT rename()`],
    [
      "a SELECT around an UPDATE",
      sql`WITH changed AS (UPDATE users SET name = 'Eve' RETURNING id)
      SELECT * FROM changed`,
    ],
    ["a SELECT that locks rows", sql`SELECT 1 FROM users FOR UPDATE`],
    ["TRUNCATE", sql`TRUNCATE users CASCADE`],
    ["CREATE TABLE", sql`CREATE TABLE other (id int)`],
  ])("is refused %s by the database", async (_, statement) => {
    expect(await refusal(db.read(statement))).toBe(readOnly);
    expect(await refusal(db.reader.query(statement))).toBe(readOnly);
    expect(await nameOf()).toBe("Ann");
  });

  test("is refused a write through a model", async () => {
    // The type has no `updateMany`.
    const model: object = db.reader.user;
    const update: unknown = Reflect.get(model, "updateMany");
    if (typeof update !== "function") throw new Error("Prisma has no updateMany.");
    const run = Promise.resolve(Reflect.apply(update, model, [{ data: { name: "Eve" } }]));
    expect(await refusal(run)).toBe(readOnly);
    expect(await nameOf()).toBe("Ann");
  });

  test("is still read-only after a transaction and a write on the same connections", async () => {
    await Promise.all(
      [1, 2, 3, 4].map(() => db.transact(async (_, query) => query(sql`SELECT rename()`))),
    );
    await db.write(sql`UPDATE users SET name = ${"Ann"}`);
    const refusals = [1, 2, 3, 4].map(() => refusal(db.read(sql`SELECT rename()`)));
    expect(await Promise.all(refusals)).toEqual([readOnly, readOnly, readOnly, readOnly]);
    expect(await nameOf()).toBe("Ann");
  });
});

describe("a statement that writes", () => {
  test("is committed, and answers its rows", async () => {
    const name = "Ann";
    const rows = await db.write(sql`UPDATE users SET name = ${name} RETURNING name`);
    expect(rows).toEqual([{ name }]);
  });

  test("fails with its own error and leaves the connection usable", async () => {
    const twice = sql`INSERT INTO users ("publicId", email, name) VALUES ('ann', 'b@example.org', 'B')`;
    expect(await refusal(db.write(twice))).toBe("23505");
    expect(db.connections()).toMatchObject({ waiting: 0 });
    expect(await nameOf()).toBe("Ann");
  });
});
