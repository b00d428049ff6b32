import { writeFile } from "node:fs/promises";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { baselineIn, readMigrations } from "./migrations.ts";
import { withScratch } from "./scratch.ts";

// npm run db:baseline: writes the schema after all migrations as one script, for new databases.

const tables = `pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
  AND n.nspname = 'public' AND t.relname <> '_prisma_migrations' AND t.relkind = 'r'`;
const isOfExtension = (oid: string) =>
  `EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;

/** The statements that create a schema, in an order in which each finds what it needs. */
const statements = [
  `SELECT format('CREATE EXTENSION IF NOT EXISTS %I', extname) AS sql
  FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname`,
  `SELECT format('CREATE TYPE %I AS ENUM (%s)', y.typname,
    string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS sql
  FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace AND n.nspname = 'public'
  JOIN pg_enum e ON e.enumtypid = y.oid GROUP BY y.typname ORDER BY y.typname`,
  `SELECT rtrim(pg_get_functiondef(f.oid)) AS sql
  FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace AND n.nspname = 'public'
  WHERE NOT ${isOfExtension("f.oid")} AND f.prokind <> 'a' ORDER BY f.oid`,
  `SELECT format(E'CREATE TABLE %I (\\n%s\\n)', t.relname, string_agg(concat_ws(' ',
      format('  %I', a.attname),
      CASE WHEN pg_get_serial_sequence(quote_ident(t.relname), a.attname) IS NULL
        THEN format_type(a.atttypid, a.atttypmod)
        WHEN a.atttypid = 'bigint'::regtype THEN 'bigserial' ELSE 'serial' END,
      CASE WHEN a.attcollation <> y.typcollation THEN format('COLLATE %I', c.collname) END,
      CASE WHEN a.attgenerated = 's'
        THEN format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
        WHEN pg_get_serial_sequence(quote_ident(t.relname), a.attname) IS NULL
        THEN 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END,
      CASE WHEN a.attnotnull THEN 'NOT NULL' END), E',\\n' ORDER BY a.attnum)) AS sql
  FROM ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
  GROUP BY t.relname ORDER BY t.relname`,
  `SELECT format('ALTER TABLE %I SET (%s)', t.relname, array_to_string(t.reloptions, ', ')) AS sql
  FROM ${tables} AND t.reloptions IS NOT NULL ORDER BY t.relname`,
  `SELECT format('ALTER TABLE %I ALTER COLUMN %I SET (%s)', t.relname, a.attname,
    array_to_string(a.attoptions, ', ')) AS sql
  FROM ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attoptions IS NOT NULL
  ORDER BY t.relname, a.attname`,
  // Foreign keys last: they need the unique keys of other tables.
  `SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname,
    pg_get_constraintdef(c.oid)) AS sql
  FROM ${tables} JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype NOT IN ('n', 't', 'f')
  ORDER BY t.relname, c.conname`,
  `SELECT pg_get_indexdef(i.indexrelid) AS sql FROM ${tables} JOIN pg_index i ON i.indrelid = t.oid
  WHERE NOT EXISTS (SELECT FROM pg_constraint c
    WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
  ORDER BY i.indexrelid::regclass::text`,
  `SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname,
    pg_get_constraintdef(c.oid)) AS sql
  FROM ${tables} JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f'
  ORDER BY t.relname, c.conname`,
  `SELECT pg_get_triggerdef(g.oid, true) AS sql
  FROM ${tables} JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
  ORDER BY t.relname, g.tgname`,
];

async function schemaOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const definitions: string[] = [];
    for (const statement of statements) {
      const { rows } = await client.query<{ sql: string }>(statement);
      definitions.push(...rows.map(({ sql }) => sql));
    }
    // The migrations name no schema either.
    return definitions.map((sql) => `${sql.replaceAll(/(?<=\s)public\./g, "")};\n`).join("\n");
  } finally {
    await client.end();
  }
}

const names = (await readMigrations()).map(({ name }) => `-- ${name}\n`).join("");
const schema = await withScratch(async (url, log) => {
  await migrate(url, log, undefined, { isStepwise: true });
  return schemaOf(url);
});
await writeFile(
  baselineIn(),
  `-- Written by npm run db:baseline: the schema after these migrations.\n${names}
SET LOCAL check_function_bodies = off;\n\n${schema}`,
);
