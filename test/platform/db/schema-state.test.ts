import { expect, onTestFinished, test } from "vitest";
import { endOfService } from "../../../src/platform/db/migration-plan.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { createSchemaCheck } from "../../../src/platform/db/schema-state.ts";
import { freshDatabase } from "../../support/database.ts";
import { query, silent } from "../../support/embedded.ts";

async function checked() {
  const { url, drop } = await freshDatabase();
  const db = await openDatabase(url, 4, silent);
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  return { url, check: createSchemaCheck(db) };
}

const record = (name: string) => `INSERT INTO _prisma_migrations
  (id, migration_name, checksum, finished_at) VALUES ('${name.slice(0, 36)}', '${name}', '', now())`;

test("a migration of a newer version alone is no reason to refuse calls", async () => {
  const { url, check } = await checked();
  await expect(check()).resolves.toBeUndefined();
  await query(url, record("20990101000000_expand"));
  await query(url, record("20990101000000_needs_0_1_0_drop_old"));
  await expect(check()).resolves.toBeUndefined();
});

test("a migration that ends service for this version is 503, and names the version", async () => {
  const { url, check } = await checked();
  await query(url, record("20990101000000_needs_99_0_0_drop_old"));
  await expect(check()).rejects.toMatchObject({
    failure: "SERVICE_UNAVAILABLE",
    issues: [{ code: "schema_unsupported", message: /needs version 99\.0\.0 or newer/ }],
  });
});

test("a database that lacks a migration is 503, and one that lacks all", async () => {
  const { url, check } = await checked();
  await query(url, `DELETE FROM _prisma_migrations WHERE migration_name LIKE '%watchers_of_cards'`);
  await expect(check()).rejects.toMatchObject({
    issues: [
      { code: "schema_unsupported", message: /older than this version\. Missing migrations: 1\./ },
    ],
  });
  await query(url, "DROP TABLE _prisma_migrations");
  await expect(check()).rejects.toMatchObject({ issues: [{ code: "schema_unsupported" }] });
});

test.each([
  ["0.2.0", "20990101000000_needs_0_2_0_x", false],
  ["0.2.0", "20990101000000_needs_0_2_1", true],
  ["0.10.0", "20990101000000_needs_0_9_9_x", false],
  ["1.0.0", "20990101000000_needs_0_12_0_x", false],
  ["0.3.0-dev", "20990101000000_needs_0_3_0_x", false],
  ["0.2.9", "20990101000000_needs_10_0_0_x", true],
  ["0.2.0", "20990101000000_needs_nothing_new", false],
])("%s with %s: ended %s", (own, name, isEnded) => {
  expect(endOfService(new Set(), [name], own) !== undefined).toBe(isEnded);
  expect(endOfService(new Set([name]), [name], own)).toBeUndefined();
});
