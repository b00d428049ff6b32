import { expect, onTestFinished, test } from "vitest";
import { startApp, type Reply } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { makeBoard, makeUser, makeWorkspace, type User } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const limit = 20;
const ofUser = 5 * limit;

async function scene() {
  const app = await startApp({ env: { RATE_LIMIT: String(limit) } });
  onTestFinished(() => app.close());
  const workspace = await makeWorkspace(app);
  const keys = async (user: User, count: number): Promise<As[]> => {
    const made = [];
    for (let nth = 0; nth < count; nth++) {
      const body = { password: "a password for tests", name: `key ${nth}` };
      const key = as(app, String((await user.rest.post("/auth/api-keys", body)).body.key));
      await key.rest.get("/users/me");
      made.push(key);
    }
    return made;
  };
  return { app, workspace, keys };
}

/** Makes calls with all credentials at once until one is refused for their user. */
async function untilRefused(credentials: As[], path: string, each: number): Promise<Reply> {
  for (;;) {
    const calls = credentials.flatMap(({ rest }) =>
      Array.from({ length: each }, () => rest.get(path)),
    );
    const refused = (await Promise.all(calls)).find(
      ({ headers }) => headers.get("RateLimit-Policy") === `"user-calls";q=${ofUser};w=10`,
    );
    if (refused !== undefined) return refused;
  }
}

test("the keys of a user together have five times the limit of one", async () => {
  const { app, workspace, keys } = await scene();
  const credentials = await keys(workspace.admin, 8);
  const refused = await untilRefused(credentials, "/users/me", limit - 2);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  const other = await makeUser(app);
  expect((await other.rest.get("/users/me")).status).toBe(200);
});

test("large answers to many keys use up the limit of their user", async () => {
  const { app, workspace, keys } = await scene();
  const { publicId, lists } = await makeBoard(workspace);
  await fill(app, lists[0] ?? "", { cards: 800 });
  const credentials = await keys(workspace.admin, 8);
  const refused = await untilRefused(credentials, `/boards/${publicId}`, 4);
  expect(refused.status).toBe(429);
});
