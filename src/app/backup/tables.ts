import { createReadStream, createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkFreeSpace } from "../../platform/storage/free-space.ts";

/** Where migrations are recorded: the migrations of the target write it. */
const recordOfMigrations = "_prisma_migrations";

/** A table, with the columns that can be written. */
export type Table = { name: string; columns: string[] };

/** The tables of the service, by name. */
export const readTables = (query: Query): Promise<Table[]> =>
  query<Table>(sql`SELECT c.relname AS name,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND c.relname <> ${recordOfMigrations} AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = ''
    GROUP BY c.oid, c.relname ORDER BY c.relname`);

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const columnsOf = ({ columns }: Table) => columns.map(quoted).join(", ");

/** Writes the rows of a table into a file, and returns their number; 503 if the disk is full. */
export async function saveTable(
  client: pg.ClientBase,
  table: Table,
  { file, minFree }: { file: string; minFree: number },
) {
  await checkFreeSpace(dirname(file), minFree);
  const copy = client.query(copyTo(`COPY ${quoted(table.name)} (${columnsOf(table)}) TO STDOUT`));
  await pipeline(copy, createGzip(), createWriteStream(file, { mode: 0o600 }));
  return copy.rowCount;
}

/** Adds the rows of a file to a table, and returns their number. */
export async function loadTable(client: pg.ClientBase, table: Table, file: string) {
  const copy = client.query(
    copyFrom(`COPY ${quoted(table.name)} (${columnsOf(table)}) FROM STDIN`),
  );
  await pipeline(createReadStream(file), createGunzip(), copy);
  return copy.rowCount;
}

/**
 * Runs something that fills empty tables, in any order: without the foreign keys, which are checked
 * at the end, without triggers, and with sequences that go on after it.
 */
export async function filling(client: pg.ClientBase, tables: Table[], fill: () => Promise<void>) {
  const names = tables.map(({ name }) => quoted(name));
  const { rows: keys } = await client.query<{ on: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS on, quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  await client.query(`TRUNCATE ${names.join(", ")}`);
  for (const { on, name } of keys) await client.query(`ALTER TABLE ${on} DROP CONSTRAINT ${name}`);
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  await fill();
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { on, name, definition } of keys)
    await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${name} ${definition}`);
  const { rows: sequences } = await client.query<{ statement: string }>(
    `SELECT format('SELECT setval(%L, coalesce(max(%I), 1), max(%I) IS NOT NULL) FROM %I',
        pg_get_serial_sequence(quote_ident(c.relname), a.attname), a.attname, a.attname,
        c.relname) AS statement
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND NOT a.attisdropped
        AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`,
  );
  for (const { statement } of sequences) await client.query(statement);
}
