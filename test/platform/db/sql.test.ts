import { describe, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";

describe("the sql tag", () => {
  test("numbers the values as parameters", () => {
    const { text, values } = sql`SELECT * FROM lists WHERE id = ${5n} AND name = ${"Done"}`;
    expect(text).toBe("SELECT * FROM lists WHERE id = $1 AND name = $2");
    expect(values).toEqual([5n, "Done"]);
  });

  test("inlines fragments and numbers their parameters anew", () => {
    const live = sql`"deletedAt" IS NULL`;
    const mine = (id: bigint) => sql`"createdById" = ${id} AND ${live}`;
    const { text, values } =
      sql`SELECT ${1} FROM cards WHERE ${mine(7n)} AND id > ${2} OR ${mine(8n)}`;
    expect(text).toBe(
      'SELECT $1 FROM cards WHERE "createdById" = $2 AND "deletedAt" IS NULL AND id > $3' +
        ' OR "createdById" = $4 AND "deletedAt" IS NULL',
    );
    expect(values).toEqual([1, 7n, 2, 8n]);
  });

  test("one template gives another text for another fragment, and for a value in its position", () => {
    const at = (part: Parameters<typeof sql>[1]) => sql`SELECT ${part}, ${1}`.text;
    expect(at(sql`now()`)).toBe("SELECT now(), $1");
    expect(at("now()")).toBe("SELECT $1, $2");
    expect(at(sql`${"a"} || ${"b"}`)).toBe("SELECT $1 || $2, $3");
    expect(at(sql`now()`)).toBe("SELECT now(), $1");
  });

  test("a fragment has the same text whatever its values are", () => {
    const one = (id: number) => sql`SELECT ${sql`id = ${id}`}`;
    expect(one(1).text).toBe(one(2).text);
    expect(one(2).values).toEqual([2]);
  });

  test("joins fragments with a separator", () => {
    const columns = ["position", "name"].map((name) => sql.identifier(name));
    expect(sql`SELECT ${sql.join(columns, sql`, `)} FROM lists`.text).toBe(
      'SELECT "position", "name" FROM lists',
    );
    const values = sql.join([sql`${1}`, sql`${2}`, sql`${3}`], sql`, `);
    expect(sql`VALUES (${values})`).toMatchObject({
      text: "VALUES ($1, $2, $3)",
      values: [1, 2, 3],
    });
    expect(sql`a${sql.join([], sql`, `)}b`.text).toBe("ab");
  });

  test("an identifier is a plain name", () => {
    for (const name of ["", 'a"b', "a b", "1a"]) {
      expect(() => sql.identifier(name)).toThrow(/Not a plain name/);
    }
  });
});
