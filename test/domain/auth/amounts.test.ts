import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({
    env: { LIMITS: "workspaces=2", AUTH_RATE_LIMIT: "2" },
    constants: { TEXT_PER_DAY: 1 },
  });
});
afterAll(() => app.close());

test("an account writes a limited amount of JSON, by all its credentials together", async () => {
  const workspace = await makeWorkspace(app);
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const card = await makeCard(admin, board.lists[0] ?? "");
  const { body } = await admin.rest.post("/auth/api-keys", {
    name: "Key",
    password: "a password for tests",
  });
  const key = as(app, String(body.key));
  const description = "x".repeat(9_000);
  const content = JSON.stringify({ description });
  const statuses: number[] = [];
  for (let write = 0; write < 130; write++) {
    const who = write % 2 === 0 ? admin : key;
    const headers = { "Content-Type": "application/json", "Content-Length": `${content.length}` };
    statuses.push((await who.rest.put(`/cards/${card}`, content, { headers })).status);
  }
  const refused = statuses.indexOf(429);
  expect(refused).toBeGreaterThan(100);
  expect(new Set(statuses.slice(0, refused))).toEqual(new Set([200]));
  expect(new Set(statuses.slice(refused))).toEqual(new Set([429]));
  // The length is measured, whatever the headers say.
  const forms = [
    { "Content-Type": "application/JSON" },
    { "Content-Type": "application/json", "Content-Length": "1" },
  ];
  for (const headers of forms) {
    expect((await admin.rest.put(`/cards/${card}`, content, { headers })).status).toBe(429);
  }
  // Reads go on, and other accounts write.
  expect((await admin.rest.get(`/cards/${card}`)).status).toBe(200);
  await makeWorkspace(app);
});

test("an account creates a limited number of workspaces", async () => {
  const user = await makeUser(app);
  const statuses: number[] = [];
  for (const name of ["One", "Two", "Three"]) {
    statuses.push((await user.rest.post("/workspaces", { name })).status);
  }
  expect(statuses).toEqual([200, 200, 409]);
});

test("a network registers ten times AUTH_RATE_LIMIT accounts in 15 minutes", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    const email = `many-${count}@example.com`;
    const body = { email, password: "a password for tests", name: "Many" };
    statuses.push((await app.call({ method: "POST", path: "/auth/register", body })).status);
  }
  expect(statuses.at(-1)).toBe(429);
  expect(statuses[0]).toBe(200);
});
