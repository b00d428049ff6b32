import { inspectRoutes } from "hono/dev";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeps } from "../../src/app/deps.ts";
import { createApp } from "../../src/app/http-application.ts";
import { startApp, type App } from "../support/app.ts";

/** Routes that no limit counts, and why that is safe. */
const unlimited: Record<string, string> = {
  "GET /livez": "It answers from memory. A probe that is refused would restart the process.",
  "GET /readyz": "All probes of a second share one question to the database.",
  "GET /metrics": "Only the operator's key gets further than its comparison; wrong keys count.",
};

let app: App;
let hono: ReturnType<typeof createApp>;
beforeAll(async () => {
  const env = {
    RATE_LIMIT: "5",
    TRUST_PROXY: "1",
    ADMIN_KEY: "a key of the operator, long enough",
  };
  app = await startApp({ env });
  hono = createApp(app.deps);
});
afterAll(() => app.close());

/** All routes of the application, with methods that a client can send. */
const routes = () =>
  inspectRoutes(hono)
    .filter(({ isMiddleware }) => !isMiddleware)
    .map(({ method, path }) => ({ method: method === "ALL" ? "PATCH" : method, path }));

const most = 10;
let networks = 0;

type Sent = { method: string; path: string; body?: string };

/** Whether a client network without a credential meets a limit within some calls. */
async function meetsLimit({ method, path, body }: Sent): Promise<boolean> {
  const address = `198.51.${++networks >> 8}.${networks & 255}`;
  const url = path.replace(/:\w+/g, "aaaaaaaaaaaa").replace("*", "nothing");
  for (let nth = 0; nth < most; nth++) {
    const request = new Request(`http://service${url}`, {
      method,
      headers: { "X-Forwarded-For": address },
      body: body ?? null,
    });
    const response = await hono.fetch(request);
    await response.body?.cancel();
    if (response.status === 429) return true;
  }
  return false;
}

test("every route counts for a limit, or is named here with its reason", async () => {
  const found = new Set<string>();
  for (const route of routes()) {
    if (!(await meetsLimit(route))) found.add(`${route.method} ${route.path}`);
  }
  expect([...found].toSorted()).toEqual(Object.keys(unlimited).toSorted());
});

test.each<Sent>([
  { method: "GET", path: "/nothing" },
  { method: "GET", path: "/trpc/workspace.list?batch=1&input=%7B" },
  { method: "GET", path: `/trpc/${Array.from({ length: 60 }, () => "a").join()}?batch=1` },
  { method: "POST", path: "/trpc/auth.login", body: "{" },
  { method: "POST", path: "/trpc/%ff" },
])("$method $path, which no operation gets, counts for a limit", async (sent) => {
  expect(await meetsLimit(sent)).toBe(true);
});

test("probes of a second ask the database once, also those of the same moment", async () => {
  let asked = 0;
  const { config, log, outgoing, clock, stopping } = app.deps;
  const ping = async () => (asked++, "ok" as const);
  const db = { ...app.db, ping };
  const asking = createApp(await createDeps({ config, log, db, outgoing, clock, stopping }));
  const probe = async () => (await asking.request("/readyz")).status;
  expect(await Promise.all([probe(), probe(), probe()])).toEqual([200, 200, 200]);
  app.advance(999);
  expect([await probe(), asked]).toEqual([200, 1]);
  app.advance(1);
  expect([await probe(), asked]).toEqual([200, 2]);
});
