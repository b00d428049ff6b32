import { expect, test } from "vitest";
import { addressOfService } from "../../../../src/platform/db/embedded/service-role.ts";
import { migrate } from "../../../../src/platform/db/migrate.ts";
import { query, silent, start } from "../../../support/embedded.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const who = `SELECT current_user AS name, rolsuper AS "isSuperuser" FROM pg_roles
  WHERE rolname = current_user`;
const notOwned = `SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace
    AND relowner <> current_user::regrole AND relkind IN ('r', 'v', 'm', 'S', 'p')
  UNION ALL SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND proowner <> current_user::regrole AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

test("the service migrates and owns an embedded database, and is no superuser", async () => {
  const database = await start(await temporaryDirectory());
  const url = await addressOfService(database.url);
  expect(await query(url, who)).toEqual([{ name: "boards", isSuperuser: false }]);
  expect(await migrate(url, silent)).not.toEqual([]);
  expect(await query(url, notOwned)).toEqual([]);
  await expect(query(url, "COPY users TO PROGRAM 'cat'")).rejects.toMatchObject({ code: "42501" });
});

test("a database of an older version is handed over, by starts at the same time", async () => {
  const database = await start(await temporaryDirectory());
  await migrate(database.url, silent);
  await query(database.url, "CREATE TYPE state AS ENUM ('one'); CREATE VIEW names AS SELECT 1");
  const urls = await Promise.all([1, 2, 3].map(() => addressOfService(database.url)));
  const [url = ""] = urls;
  expect(await query(url, notOwned)).toEqual([]);
  expect(await migrate(url, silent)).toEqual([]);
  await query(url, `ALTER TABLE users ADD COLUMN "later" int; ALTER TYPE state ADD VALUE 'two'`);
  expect(await query(url, `SELECT count("later")::int AS n FROM users`)).toEqual([{ n: 0 }]);
});
