import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { migrationsDirectory, prismaDirectory } from "./migrations.ts";
import { schemaDifferences, emptyToSchema, withScratch } from "./scratch.ts";
import { describeSchema } from "./describe-schema.ts";

/**
 * The files that must agree. `byHand` lists the objects that schema.prisma cannot express. The folder
 * of the migrations may have a baseline.
 */
export type SchemaFiles = { schema: string; migrations: string; byHand: string };

/** The paths of the three in this project. */
export const sources: SchemaFiles = {
  schema: join(prismaDirectory, "schema.prisma"),
  migrations: migrationsDirectory,
  byHand: join(prismaDirectory, "by-hand.txt"),
};

/** The differences between schema.prisma, the migrations and by-hand.txt. */
export async function schemaDrift({ schema, migrations, byHand }: SchemaFiles): Promise<string[]> {
  const { drift, own } = await compare(schema, migrations);
  const listed = (await readFile(byHand, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return [
    ...drift,
    ...listed.filter((line) => !own.includes(line)).map((line) => `Listed, but missing: ${line}`),
    ...own.filter((line) => !listed.includes(line)).map((line) => `Missing from the list: ${line}`),
  ];
}

/** Renews by-hand.txt. Returns the differences and writes nothing when there are any. */
export async function updateByHandList({
  schema,
  migrations,
  byHand,
}: SchemaFiles): Promise<string[]> {
  const { drift, own } = await compare(schema, migrations);
  if (drift.length === 0) await writeFile(byHand, own.map((line) => `${line}\n`).join(""));
  return drift;
}

async function compare(
  path: string,
  migrations: string,
): Promise<{ drift: string[]; own: string[] }> {
  const schema = await readFile(path, "utf8");
  return withScratch(async (migrated, log) => {
    await migrate(migrated, log, migrations, { isStepwise: true });
    const words = await schemaDifferences(migrated, "words", schema);
    const drift =
      words === "" ? [] : [`The migrations lack these changes of schema.prisma:\n${words}`];

    const [pure, fresh] = [beside(migrated, "pure"), beside(migrated, "fresh")];
    await run(migrated, "CREATE DATABASE pure");
    await run(migrated, "CREATE DATABASE fresh");
    await run(pure, await emptyToSchema(pure, schema));
    await migrate(fresh, log, migrations);

    const [have, said] = [await describeSchema(migrated), await describeSchema(pure)];
    const created = await describeSchema(fresh);
    for (const line of have) if (!created.has(line)) drift.push(`Not in the baseline: ${line}`);
    for (const line of created) if (!have.has(line)) drift.push(`Only in the baseline: ${line}`);
    const own = [
      ...[...said].filter((line) => !have.has(line)).map((line) => `- ${line}`),
      ...[...have].filter((line) => !said.has(line)).map((line) => `+ ${line}`),
    ];
    return { drift, own: own.toSorted() };
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
