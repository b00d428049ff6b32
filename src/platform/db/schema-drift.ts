import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { migrationsDirectory, prismaDirectory } from "./migrations.ts";
import { schemaDifferences, emptyToSchema, withScratch } from "./scratch.ts";

/** The schema of a database, one line per object: equal lines mean equal schemas. */
export async function describeSchema(url: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(shapes.join("\nUNION ALL\n"));
    return new Set(rows.map(({ line }) => line.replaceAll(/\s+/g, " ").trim()));
  } finally {
    await client.end();
  }
}

const tables = `pg_class t
  JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
    AND t.relname <> '_prisma_migrations'`;
const isInSchema = (oid: string) => `n.nspname = 'public'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;

const shapes = [
  `SELECT concat_ws(' ', 'column', t.relname || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'NOT NULL' END,
    CASE WHEN a.attgenerated <> '' THEN 'GENERATED AS' WHEN d.oid IS NOT NULL THEN 'DEFAULT' END,
    pg_get_expr(d.adbin, d.adrelid)) AS line
  FROM ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum WHERE t.relkind IN ('r', 'p')`,
  `SELECT 'collation ' || t.relname || '.' || a.attname || ' ' || quote_ident(c.collname)
  FROM ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type y ON y.oid = a.atttypid AND y.typcollation <> a.attcollation
  JOIN pg_collation c ON c.oid = a.attcollation WHERE t.relkind IN ('r', 'p')`,
  `SELECT concat_ws(' ', 'options', t.relname || '.' || a.attname, a.attoptions)
  FROM ${tables} JOIN pg_attribute a ON a.attrelid = t.oid AND a.attoptions IS NOT NULL`,
  `SELECT concat_ws(' ', 'options', t.relname, t.reloptions)
  FROM ${tables} WHERE t.relkind = 'r' AND t.reloptions IS NOT NULL`,
  `SELECT 'index ' || pg_get_indexdef(i.indexrelid)
  FROM ${tables} JOIN pg_index i ON i.indrelid = t.oid`,
  // NOT NULL constraints are part of the columns.
  `SELECT 'constraint ' || t.relname || '.' || c.conname || ' ' || pg_get_constraintdef(c.oid)
  FROM ${tables} JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype <> 'n'`,
  `SELECT 'trigger ' || pg_get_triggerdef(g.oid, true)
  FROM ${tables} JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal`,
  `SELECT 'view ' || t.relname || ' ' || pg_get_viewdef(t.oid)
  FROM ${tables} WHERE t.relkind IN ('v', 'm')`,
  `SELECT 'function ' || pg_get_functiondef(f.oid)
  FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
  WHERE ${isInSchema("f.oid")} AND f.prokind <> 'a'`,
  `SELECT 'enum ' || y.typname || ' ' || string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)
  FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace JOIN pg_enum e ON e.enumtypid = y.oid
  WHERE ${isInSchema("y.oid")} GROUP BY y.typname`,
  `SELECT 'extension ' || extname FROM pg_extension WHERE extname <> 'plpgsql'`,
];

/** The files that must agree. `byHand` lists the objects that schema.prisma cannot express. */
export type SchemaFiles = { schema: string; migrations: string; byHand: string };

/** The paths of these files in this project. */
export const sources: SchemaFiles = {
  schema: join(prismaDirectory, "schema.prisma"),
  migrations: migrationsDirectory,
  byHand: join(prismaDirectory, "by-hand.txt"),
};

/** The differences between schema.prisma, the migrations and by-hand.txt. */
export async function schemaDrift({ schema, migrations, byHand }: SchemaFiles): Promise<string[]> {
  const { drift, byHandLines } = await compare(schema, migrations);
  const listed = (await readFile(byHand, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return [
    ...drift,
    ...listed
      .filter((line) => !byHandLines.includes(line))
      .map((line) => `Listed, but missing: ${line}`),
    ...byHandLines
      .filter((line) => !listed.includes(line))
      .map((line) => `Missing from the list: ${line}`),
  ];
}

/** Renews by-hand.txt. Returns the differences and writes nothing when there are any. */
export async function updateByHandList({
  schema,
  migrations,
  byHand,
}: SchemaFiles): Promise<string[]> {
  const { drift, byHandLines } = await compare(schema, migrations);
  if (drift.length === 0) await writeFile(byHand, byHandLines.map((line) => `${line}\n`).join(""));
  return drift;
}

async function compare(
  path: string,
  migrations: string,
): Promise<{ drift: string[]; byHandLines: string[] }> {
  const schema = await readFile(path, "utf8");
  return withScratch(async (migrated, log) => {
    await migrate(migrated, log, { directory: migrations });
    const words = await schemaDifferences(migrated, "words", schema);
    const drift =
      words === "" ? [] : [`The migrations lack these changes of schema.prisma:\n${words}`];

    const pure = beside(migrated, "pure");
    await run(migrated, "CREATE DATABASE pure");
    await run(pure, await emptyToSchema(pure, schema));

    const [migratedLines, pureLines] = [await describeSchema(migrated), await describeSchema(pure)];
    const byHandLines = [
      ...[...pureLines].filter((line) => !migratedLines.has(line)).map((line) => `- ${line}`),
      ...[...migratedLines].filter((line) => !pureLines.has(line)).map((line) => `+ ${line}`),
    ];
    return { drift, byHandLines: byHandLines.toSorted() };
  });
}

/** The address of another database of the same server. */
function beside(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
