import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** A statement that writes rows. */
const writes = /\bINSERT\s+INTO\b|\bDELETE\s+FROM\b|(?<!FOR )\bUPDATE\s[^`;]{1,120}?\bSET\b/;

/** A write of the Prisma client, which fixtures do not use either. */
const clientWrites =
  /\.(?:createMany|updateMany|deleteMany|upsert)\(|\b(?:prisma|tx)\.\w+\.(?:create|update|delete)\(/;

/** Whether a file sets the state of tests: those of the database layer test its writes. */
const isOfTests = (path: string) =>
  path.endsWith(".ts") && !/^(platform\/db|bench|scripts)\//.test(path);

test("files of tests set their state through the API or a named fixture, not with statements", async () => {
  const paths = (await readdir(root, { recursive: true })).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const files = paths.filter(isOfTests);
  expect(files.length).toBeGreaterThan(400);
  const found: string[] = [];
  for (const path of files) {
    const text = await readFile(join(root, path), "utf8");
    const isTest = path.endsWith(".test.ts");
    if ((isTest && writes.test(text)) || clientWrites.test(text)) found.push(path);
  }
  expect(found).toEqual([]);
});

test.each([
  'sql`UPDATE cards SET title = ""`',
  "sql`UPDATE ${sql.identifier(table)} t\n  SET position = 1`",
  'query(`DELETE FROM roles WHERE "publicId" = $1`)',
  "sql`INSERT INTO boards (name)`",
])("%s is found", (text) => {
  expect(text).toMatch(writes);
});

test.each(["(tx) => tx.list.updateMany({", "prisma.user.create({ data })"])(
  "%s is found as a write of the client",
  (text) => {
    expect(text).toMatch(clientWrites);
  },
);

test.each(["SELECT FROM lists FOR UPDATE", 'startsWith("UPDATE api_keys")'])(
  "%s is not a statement that writes rows",
  (text) => {
    expect(text).not.toMatch(writes);
  },
);
