import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaDrift, updateByHandList, sources } from "../../../src/platform/db/schema-drift.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const model = (fields = "") => `
  datasource db {
    provider = "postgresql"
  }
  model Note {
    id BigInt @id @default(autoincrement())
    text String
    ${fields}
    @@map("notes")
  }`;
const made = `CREATE TABLE notes (id bigserial NOT NULL, text TEXT NOT NULL, CONSTRAINT notes_pkey PRIMARY KEY (id));`;
const byHand = `
  ALTER TABLE notes ALTER COLUMN text TYPE text COLLATE "C";
  ALTER TABLE notes ADD CONSTRAINT notes_text_check CHECK (text <> '');
  CREATE UNIQUE INDEX notes_text_live ON notes (text) WHERE id > 0;
  CREATE INDEX notes_text_lower ON notes (lower(text));
  CREATE INDEX notes_words ON notes USING gin (to_tsvector('simple', text));
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
  CREATE TRIGGER touched BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION touch();`;

async function project(schema: string, ...migrations: string[]) {
  const root = await temporaryDirectory();
  const paths = {
    schema: join(root, "schema.prisma"),
    migrations: join(root, "migrations"),
    byHand: join(root, "by-hand.txt"),
  };
  await writeFile(paths.schema, schema);
  let steps = 0;
  const add = async (sql: string) => {
    const directory = join(paths.migrations, `2020010${++steps}000000_step`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "migration.sql"), sql);
  };
  for (const sql of migrations) await add(sql);
  return { paths, add };
}

test("the schema, the migrations and by-hand.txt of this project agree", async () => {
  expect(await schemaDrift(sources)).toEqual([]);
});

test("reports a field that the migrations lack, and writes no list", async () => {
  const { paths } = await project(model("due DateTime?"), made, byHand);
  expect((await updateByHandList(paths)).join("\n")).toMatch(/\[\+\] Added column `due`/);
  await expect(readFile(paths.byHand)).rejects.toThrow(/ENOENT/);
});

test("reports an index that the schema lacks, and objects missing from the list", async () => {
  const { paths } = await project(model(), made, byHand, "CREATE INDEX extra ON notes (text);");
  const faults = await schemaDrift(paths);
  expect(faults.join("\n")).toMatch(/\[-\] Removed index on columns \(text\)/);
  expect(faults.filter((fault) => fault.startsWith("Missing from the list: + "))).toHaveLength(8);
});

test("accepts listed hand-written objects, and reports those that a later migration drops", async () => {
  const { paths, add } = await project(model(), made, byHand);
  expect(await updateByHandList(paths)).toEqual([]);
  expect(await schemaDrift(paths)).toEqual([]);
  expect(await readFile(paths.byHand, "utf8")).toMatchInlineSnapshot(`
    "+ collation notes.text "C"
    + constraint notes.notes_text_check CHECK ((text <> ''::text))
    + function CREATE OR REPLACE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $function$ BEGIN RETURN new; END $function$
    + index CREATE INDEX notes_text_lower ON public.notes USING btree (lower(text))
    + index CREATE INDEX notes_words ON public.notes USING gin (to_tsvector('simple'::regconfig, text))
    + index CREATE UNIQUE INDEX notes_text_live ON public.notes USING btree (text) WHERE (id > 0)
    + trigger CREATE TRIGGER touched BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION touch()
    "
  `);

  await add(`DROP TRIGGER touched ON notes; DROP FUNCTION touch; ALTER TABLE notes DROP CONSTRAINT notes_text_check;
    DROP INDEX notes_words, notes_text_lower, notes_text_live; ALTER TABLE notes ALTER COLUMN text TYPE text;`);
  const faults = await schemaDrift(paths);
  expect(faults).toHaveLength(7);
  for (const fault of faults) expect(fault).toMatch(/^Listed, but missing: \+ /);
});
