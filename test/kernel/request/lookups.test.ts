import { expect, onTestFinished, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { duringOutage } from "../../support/database.ts";
import { makeWorkspace } from "../../support/make.ts";

const env = { RATE_LIMIT: "25" };

/** An app with a user of a session and of an API key. */
async function scene() {
  const app = await startApp({ env });
  onTestFinished(() => app.close());
  const workspace = await makeWorkspace(app);
  const { admin } = workspace;
  const key = async () => {
    const body = { password: "a password for tests", name: "key" };
    return String((await admin.rest.post("/auth/api-keys", body)).body.key);
  };
  const get = async (path: string, token?: string) =>
    (await app.call({ method: "GET", path, token })).status;
  const spend = async (token: (nth: number) => string | undefined) => {
    for (let nth = 0; (await get("/permissions", token(nth))) !== 429; nth++);
  };
  return { app, workspace, admin, key, get, spend };
}

test("anonymous calls of its network delay no session, key or ticket", async () => {
  const { app, workspace, admin, key, get, spend } = await scene();
  const [newKey, ticket] = [
    await key(),
    (await admin.rest.post("/auth/stream-ticket")).body.ticket,
  ];
  const login = { email: admin.email, password: "a password for tests" };
  const session = await app.call({ method: "POST", path: "/auth/login", body: login });
  await spend(() => undefined);
  expect(await get("/users/me", session.body.accessToken)).toBe(200);
  expect(await get("/users/me", newKey)).toBe(200);
  const path = `/workspaces/${workspace.publicId}/events/stream?ticket=${ticket}`;
  expect(await get(path)).toBe(200);
});

test("guesses of its network delay no session, and no key that was confirmed before", async () => {
  const { app, admin, key, get, spend } = await scene();
  const known = await key();
  expect((await as(app, known).rest.get("/users/me")).status).toBe(200);
  const login = { email: admin.email, password: "a password for tests" };
  const session = await app.call({ method: "POST", path: "/auth/login", body: login });
  await spend((nth) => `wbs_guess${nth}`);
  expect(await get("/users/me", session.body.accessToken)).toBe(200);
  expect(await get("/users/me", known)).toBe(200);
});

test("guesses of keys and tickets are limited", async () => {
  const { workspace, get } = await scene();
  const stream = `/workspaces/${workspace.publicId}/events/stream`;
  for (const [path, token] of [
    [`/users/me`, (nth: number) => `wbs_guess${nth}`],
    [`${stream}?ticket=guess`, () => undefined],
  ] as const) {
    const statuses = [];
    for (let nth = 0; nth < 12; nth++) statuses.push(await get(path, token(nth)));
    expect(statuses).toContain(429);
  }
});

test("an outage of the database counts for no limit of guesses", async () => {
  const { app, workspace, admin, key, get } = await scene();
  const [newKey, ticket] = [
    await key(),
    (await admin.rest.post("/auth/stream-ticket")).body.ticket,
  ];
  const stream = `/workspaces/${workspace.publicId}/events/stream?ticket=${ticket}`;
  const statuses = await duringOutage(app, async () => {
    const found = [];
    for (let nth = 0; nth < 6; nth++) found.push(await get("/users/me", newKey), await get(stream));
    return found;
  });
  expect(statuses.filter((status) => status < 500)).toEqual([]);
  expect(await get("/users/me", newKey)).toBe(200);
  expect(await get(stream)).toBe(200);
});
