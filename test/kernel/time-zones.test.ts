import { expect, test } from "vitest";
import { checkTimeZone, startOfDate } from "../../src/kernel/time-zones.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { TimeZone } from "../../src/contract/vocabulary/time-zone.ts";
import { useApp } from "../support/app.ts";
import { makeUser, makeWorkspace } from "../support/make.ts";

const app = useApp();

test("a date begins at its first moment, in every time zone that is accepted", async () => {
  const names = await app().deps.db.read<{ name: string }>(sql`SELECT name FROM pg_timezone_names`);
  const accepted = names.flatMap(({ name }) => (TimeZone.safeParse(name).success ? [name] : []));
  expect(accepted.length).toBeGreaterThan(400);
  const wrong = await app().deps.db.read(sql`
    SELECT zone, date FROM (
      SELECT zone, date::date, ${startOfDate(sql`date::date`, sql`zone`)} AS start
      FROM unnest(${accepted}::text[]) AS zone
      CROSS JOIN generate_series('2026-01-01'::timestamp, '2027-12-31', '1 day') AS date) dates
    WHERE (start AT TIME ZONE zone)::date <> date
      OR ((start - interval '1 second') AT TIME ZONE zone)::date <> date - 1`);
  expect(wrong).toEqual([]);
});

const timeZones = ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC", null];

test.each(timeZones)("%s is a time zone", async (timeZone) => {
  const { admin, publicId } = await makeWorkspace(app());
  expect(await admin.rest.put("/users/me", { timeZone })).toMatchObject({
    status: 200,
    body: { timeZone },
  });
  const path = `/workspaces/${publicId}`;
  expect(await admin.rest.put(path, { timeZone })).toMatchObject({ body: { timeZone } });
  expect((await admin.rest.get("/users/me")).body).toMatchObject({ timeZone });
  expect((await admin.rest.get(path)).body).toMatchObject({ timeZone });
  const { body } = await admin.rest.post("/workspaces", { name: "Other", timeZone });
  expect((await admin.rest.get(`/workspaces/${body.publicId}`)).body).toMatchObject({ timeZone });
});

const invalid = [
  "",
  "Mars/Phobos",
  "CET",
  "EST5EDT",
  "+02:00",
  "europe/berlin",
  "Europe/Berlin ",
  "posix/Europe/Berlin",
  "../etc/passwd",
  "UTC'; DROP TABLE users --",
  7,
];

test.each(invalid)("%j is no time zone", async (timeZone) => {
  const { admin, publicId } = await makeWorkspace(app());
  const issues = [{ path: ["timeZone"] }];
  const refused = { status: 400, body: { issues } };
  expect(await admin.rest.put("/users/me", { timeZone })).toMatchObject(refused);
  expect(await admin.rest.put(`/workspaces/${publicId}`, { timeZone })).toMatchObject(refused);
  expect(await admin.rest.post("/workspaces", { name: "No", timeZone })).toMatchObject(refused);
});

test("a time zone that only Intl knows is refused", async () => {
  await expect(checkTimeZone(app().deps.db.read, "Mars/Phobos")).rejects.toMatchObject({
    issues: [{ code: "invalid_value", path: ["timeZone"] }],
  });
});

test("the time zone of a user is no change of their members; that of a workspace is an event", async () => {
  const workspace = await makeWorkspace(app(), await makeUser(app()));
  const { admin, publicId } = workspace;
  await admin.rest.put("/users/me", { timeZone: "Asia/Kolkata" });
  await admin.rest.put(`/workspaces/${publicId}`, { timeZone: "Asia/Tokyo" });
  const { body } = await admin.rest.get(
    `/workspaces/${publicId}/events?types=member.updated,workspace.updated`,
  );
  expect(body.items).toMatchObject([
    { type: "workspace.updated", changes: { timeZone: { from: null, to: "Asia/Tokyo" } } },
  ]);
});
