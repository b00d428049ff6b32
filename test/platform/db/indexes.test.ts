import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";

const app = useApp({ isolated: true });

const hasIndex = (relation: string, column: string) => `EXISTS (SELECT 1 FROM pg_index i
  WHERE i.indrelid = ${relation} AND i.indpred IS NULL AND i.indkey[0] = ${column})`;

// Without one a table is read whole for every row that goes on the other side.
test("every column that names another row has an index", async () => {
  const without = await app().db.read(
    `SELECT c.conrelid::regclass || '.' || a.attname AS place
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND NOT ${hasIndex("c.conrelid", "c.conkey[1]")} ORDER BY 1`,
    [],
  );
  expect(without).toEqual([]);
});

test.each([
  ["comments", "createdById", "an account is deleted"],
  ["members", "email", "somebody who has been invited signs up"],
])("%s are found by %s when %s, however many others there are", async (table, column) => {
  const [found] = await app().db.read<{ has: boolean }>(
    `SELECT ${hasIndex("a.attrelid", "a.attnum")} AS has FROM pg_attribute a
     WHERE a.attrelid = $1::regclass AND a.attname = $2`,
    [table, column],
  );
  expect(found).toEqual({ has: true });
});
