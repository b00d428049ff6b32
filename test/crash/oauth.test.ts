import { expect, onTestFinished, test } from "vitest";
import { connectApp, refresh, type Connected } from "../domain/oauth/app.ts";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { clientOf, settle } from "./service-client.ts";
import { startBuilt } from "./service-process.ts";

const grants = 40;

/** Sends requests to an instance. */
const at = (url: string) => ({
  fetch: (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(url + pathname + search, request));
  },
});

test("kill -9 of an instance under refreshes ends no grant: each is repeated at the other", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const env = {
    DATABASE_URL: database.url,
    LOG_LEVEL: "error",
    APP_SECRET: "a secret for tests, 32 characters",
  };
  const [one, other] = [
    await startBuilt(await temporaryDirectory(), env),
    await startBuilt(await temporaryDirectory(), env),
  ];
  const { token, board } = await settle(one.url);
  const post = clientOf(() => one.url, token);
  const user = { rest: { post: (path: string, body: object) => post("POST", path, body) } };
  const connected: Connected[] = [];
  const bounds = { boardPublicId: board };
  for (let nth = 0; nth < grants; nth++) {
    connected.push(await connectApp(at(one.url), user, { bounds, resource: null }));
  }
  let answered = 0;
  const refreshing = connected.map((app) =>
    refresh(at(one.url), app).then(
      ({ status }) => {
        if (++answered === 8) one.kill();
        return status;
      },
      () => "broken",
    ),
  );
  const statuses = await Promise.all(refreshing);
  expect(new Set(statuses)).toEqual(new Set([200, "broken"]));
  for (const app of connected) {
    const repeated = await refresh(at(other.url), app);
    expect(repeated.status, JSON.stringify(repeated.body)).toBe(200);
    const next = { ...app, refreshToken: repeated.body.refresh_token };
    expect((await refresh(at(other.url), next)).status).toBe(200);
  }
});
