import { expect, test } from "vitest";
import { purge } from "../../../src/app/jobs/purge.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { connectApp, exchange, allow, refresh } from "./app.ts";

const app = useApp({ isolated: true });
const hour = 3_600_000;

const count = async (table: string) => {
  const [row] = await app().db.read<{ count: bigint }>(
    sql`SELECT count(*) FROM ${sql.identifier(table)}`,
  );
  return Number(row?.count);
};

const purgeAll = () => purge(app().deps, undefined, { alive: async () => undefined } as never);

test("apps without a grant, ended grants and used codes are purged after a day; live ones stay", async () => {
  const user = await makeUser(app());
  const connected = await connectApp(app(), user);
  await exchange(app(), await allow(app(), user), { code: "never fetched" });
  await app().db.write(sql`INSERT INTO apps ("publicId", "clientId", name, "createdAt")
    SELECT 'app' || n, 'app' || n, 'Nobody', ${app().deps.clock()}::timestamptz
    FROM generate_series(1, 10000) n`);
  await purgeAll();
  expect(await count("apps")).toBe(10_002);
  app().advance(25 * hour);
  await purgeAll();
  await purgeAll();
  expect(await count("apps")).toBe(1);
  expect(await count("api_keys")).toBe(1);
  expect(await count("app_codes")).toBe(0);
  expect((await refresh(app(), connected)).status).toBe(200);
  app().advance(32 * 24 * hour);
  await purgeAll();
  await purgeAll();
  expect(await count("apps")).toBe(0);
  expect(await count("app_refresh_tokens")).toBe(0);
});

test("a refresh token that somebody else has used ends the grant days later too", async () => {
  const connected = await connectApp(app(), await makeUser(app()));
  const theirs = await refresh(app(), connected);
  expect(theirs.status).toBe(200);
  app().advance(72 * hour);
  await purgeAll();
  expect((await refresh(app(), connected)).status).toBe(400);
  const next = { ...connected, refreshToken: theirs.body.refresh_token };
  expect((await refresh(app(), next)).status).toBe(400);
});
