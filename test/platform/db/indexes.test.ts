import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";

const app = useApp({ isolated: true });

const hasIndex = (relation: Sql, column: Sql, more = sql.empty) => sql`EXISTS (SELECT 1
  FROM pg_index i JOIN pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = i.indkey[0]
  WHERE i.indrelid = ${relation} AND (i.indkey[0] = ${column} ${more})
    AND coalesce(pg_get_expr(i.indpred, i.indrelid), format('(%I IS NOT NULL)', k.attname))
      = format('(%I IS NOT NULL)', k.attname))`;
/** An index of columns of the key, in whatever order. */
const orOfKey = sql`OR i.indkey::int2[] <@ c.conkey`;

// Without an index, deleting a parent row scans the whole table. Rows of users are never deleted,
// so columns that only record a row's creator need no index.
test("every foreign key has an index", async () => {
  const without = await app().db.read(
    sql`SELECT c.conrelid::regclass || '.' || a.attname AS column
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND a.attname NOT IN ('createdById', 'invitedById') 
       AND NOT ${hasIndex(sql`c.conrelid`, sql`c.conkey[1]`, orOfKey)} ORDER BY 1`,
  );
  expect(without).toEqual([]);
});

// Moving a board checks the rows of each card: before PostgreSQL has statistics, it would take the
// index of the workspace for as good as that of the card, and read all rows of the workspace.
test("a foreign key to what moves with a card has an index on exactly its columns", async () => {
  const without = await app().db.read(
    sql`SELECT c.conrelid::regclass || ' to ' || c.confrelid::regclass AS key FROM pg_constraint c
     WHERE c.contype = 'f' AND cardinality(c.conkey) > 1
       AND c.confrelid IN ('cards'::regclass, 'checklists'::regclass, 'labels'::regclass)
       AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid
         AND i.indpred IS NULL AND i.indnatts = cardinality(c.conkey)
         AND c.conkey <@ i.indkey::int2[]) ORDER BY 1`,
  );
  expect(without).toEqual([]);
});

/** A foreign key: its name, the table that it refers to, and the columns there. */
type Key = { name: string; table: string; columns: string[] };

// PostgreSQL keeps the plan of a check on each connection until it has statistics. Among two indexes that cost
// the same in a small table it takes the newer one, even if that one has only the workspace.
test("a check of a foreign key reads one row in a table that has just been filled", async () => {
  const keys = await app().db.read<Key>(sql`SELECT c.conname AS name,
      c.confrelid::regclass::text AS table, array_agg(quote_ident(a.attname)::text) AS columns
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = ANY(c.confkey)
    WHERE c.contype = 'f' GROUP BY c.oid ORDER BY 1`);
  const client = new pg.Client({ connectionString: app().url });
  await client.connect();
  onTestFinished(() => client.end());
  const filtering: string[] = [];
  for (const { name, table, columns } of keys) {
    const isKey = columns.map((column, nth) => `${column} = $${nth + 1}`).join(" AND ");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (GENERIC_PLAN) SELECT 1 FROM ONLY ${table} x WHERE ${isKey} FOR KEY SHARE OF x`,
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    if (/Filter|Seq Scan/.test(plan)) filtering.push(`${name}\n${plan}`);
  }
  expect(keys.length).toBeGreaterThan(90);
  expect(filtering).toEqual([]);
});

test.each([
  ["comments", "createdById", "an account is deleted"],
  ["members", "email", "an invited person signs up"],
])("%s are found by %s when %s, however many others there are", async (table, column) => {
  const [found] = await app().db.read<{ has: boolean }>(
    sql`SELECT ${hasIndex(sql`a.attrelid`, sql`a.attnum`)} AS has FROM pg_attribute a
     WHERE a.attrelid = ${table}::text::regclass AND a.attname = ${column}`,
  );
  expect(found).toEqual({ has: true });
});
