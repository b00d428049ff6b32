import { expect, test } from "vitest";
import { checkTimeZone } from "../../src/kernel/time-zones.ts";
import { useApp } from "../support/app.ts";
import { makeUser, makeWorkspace } from "../support/make.ts";
import { wrongStarts } from "./starts-of-dates.ts";

const app = useApp();

// Days that begin at 01:00, that happen twice or not at all, and half hours; the long test has all.
const unusual = [
  "Africa/Cairo",
  "America/Santiago",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Apia",
  "UTC",
];

test("a date begins at its first moment, in unusual time zones", () => {
  expect(wrongStarts(unusual)).toEqual([]);
});

const timeZones = [
  "Europe/Berlin",
  "America/Argentina/Buenos_Aires",
  "Etc/GMT+5",
  "CET",
  "EST",
  "EST5EDT",
  "GMT",
  "Japan",
  "NZ-CHAT",
  "europe/berlin",
  "UTC",
  null,
];

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
  "+02:00",
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

test("a new time zone is an event of a workspace, but not of the members of a user", async () => {
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
