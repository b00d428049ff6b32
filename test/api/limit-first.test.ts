import { inspectRoutes } from "hono/dev";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toolsOf } from "../../src/api/mcp/tools/index.ts";
import { createApp } from "../../src/app/http-application.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { definitionOf } from "../../src/kernel/procedures/builder.ts";
import { readShares } from "../../src/kernel/request/expensive-work.ts";
import { isStream } from "../support/responses.ts";
import { startApp, type App } from "../support/app.ts";
import { useStatements } from "../support/statements.ts";
import { waitFor } from "../support/wait.ts";

/** Routes that no limit counts: `unlimited-routes.test.ts` says why. */
const unlimited: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);
const rateLimit = 50;
const ip = "198.51.100.7";

const procedures = Object.keys(appRouter._def.procedures);
const definitionOfName = (name: string) =>
  definitionOf(Reflect.get(appRouter._def.procedures, name));

type Caller = { token: string; id: string };

let app: App;
let known: Caller;
const statements = useStatements();
const runs: string[] = [];
beforeAll(async () => {
  const env = { RATE_LIMIT: String(rateLimit), AUTH_RATE_LIMIT: "100", TRUST_PROXY: "1" };
  app = await startApp({ env });
  known = await register("known");
  for (const name of procedures) {
    const definition = definitionOfName(name);
    const { run } = definition;
    vi.spyOn(definition, "run").mockImplementation((call) => {
      runs.push(name);
      return run(call);
    });
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
});

async function register(name: string): Promise<Caller> {
  const body = { email: `${name}@example.com`, password: "a password for tests", name };
  const { body: made } = await app.call({ method: "POST", path: "/auth/register", body });
  const { body: me } = await app.call({
    method: "GET",
    path: "/users/me",
    token: made.accessToken,
  });
  return { token: made.accessToken, id: me.publicId };
}

type Door = { method: string; path: string; body?: unknown };

const post = (path: string, body: unknown): Door => ({ method: "POST", path, body });
const message = (method: string, params: object) =>
  post("/mcp", { jsonrpc: "2.0", id: 1, method, params });

/** Every way into the service: its routes, the procedures of tRPC, and the tools of MCP. */
function doors(): Door[] {
  const routes = inspectRoutes(createApp(app.deps))
    .filter(({ isMiddleware, path }) => !isMiddleware && !unlimited.has(path))
    .map(({ method, path }) => ({
      method: method === "ALL" ? "PATCH" : method,
      path: path.replace(/:\w+(\{[^}]*\})?/g, "aaaaaaaaaaaa").replace("*", "nothing"),
    }));
  const ofTrpc = procedures.map((name): Door => {
    return definitionOfName(name).type === "mutation"
      ? post(`/trpc/${name}`, {})
      : { method: "GET", path: `/trpc/${name}` };
  });
  const batch = { method: "GET", path: "/trpc/user.me,workspace.list,board.get?batch=1&input={}" };
  const ofMcp = toolsOf(appRouter).map(({ name }) =>
    message("tools/call", { name, arguments: {} }),
  );
  return [...routes, ...ofTrpc, batch, message("tools/list", {}), ...ofMcp];
}

const payerOf = ({ id }: Caller) => ({ credential: id, user: `user ${id}` });

/** Uses up what is left of every limit of the caller. */
async function spend(): Promise<void> {
  const { limits } = app.deps;
  const payer = payerOf(known);
  const uses = [
    () => limits.credential(payer, 1),
    () => limits.client(ip, 1),
    () => limits.unauthenticated(ip, 1),
    () => limits.page(ip),
  ];
  for (const use of uses) {
    let isLeft = true;
    while (isLeft) {
      isLeft = await use().then(
        () => true,
        () => false,
      );
    }
  }
}

const fetchDoor = ({ method, path, body }: Door, token?: string): Promise<Response> =>
  app.fetch(
    new Request(`http://service${path}`, {
      method,
      headers: {
        "X-Forwarded-For": ip,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );

/** The status of a response; a stream of tRPC that is refused begins with 200. */
async function statusOf(response: Response): Promise<number> {
  if (!isStream(response)) {
    await response.body?.cancel();
    return response.status;
  }
  const refused = /event: serialized-error\ndata: (.*)\n/.exec(await response.text())?.[1];
  return refused === undefined ? response.status : JSON.parse(refused).data.httpStatus;
}

describe.each([true, false])("a caller over its limit, with a token: %s", (withToken) => {
  test("gets 429 at every door, and nothing is done for it", async () => {
    const faults: string[] = [];
    for (const door of doors()) {
      await spend();
      runs.length = 0;
      const { texts, result } = await statements(() =>
        fetchDoor(door, withToken ? known.token : undefined),
      );
      const status = await statusOf(result);
      if (status === 429 && texts.length === 0 && runs.length === 0) continue;
      faults.push(`${door.method} ${door.path}: ${status} ${runs.join()} ${texts.join()}`);
    }
    expect(faults).toEqual([]);
  });
});

/** Reads that are made of several. */
const reads: Door[] = [
  { method: "GET", path: "/kan/api/v1/workspaces" },
  message("tools/call", { name: "board_list", arguments: {} }),
];

test.each([...reads.entries()])(
  "read %i waits for a turn, and asks for the limit again",
  async (nth, door) => {
    const { deps } = app;
    const { token, id } = await register(`waiting${nth}`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = Array.from({ length: readShares.perCaller }, () =>
      deps.reads.run(`user ${id}`, () => held),
    );
    runs.length = 0;
    const answer = fetchDoor(door, token);
    await waitFor(() => expect(deps.reads.waiting).toBe(1));
    await deps.limits.chargeCalls(payerOf({ token, id }), rateLimit);
    release();
    await Promise.all(holding);
    const response = await answer;
    const text = await response.text();
    expect([text, runs]).toEqual([expect.stringContaining("rate_limited"), []]);
  },
);

test.each([...reads.entries()])("read %i is answered whole by the last call", async (nth, door) => {
  const { token, id } = await register(`last${nth}`);
  const { body } = await app.call({
    method: "POST",
    path: "/workspaces",
    token,
    body: { name: "W" },
  });
  expect(body.publicId).toBeDefined();
  // Two calls of the account, and one for each later read.
  await app.deps.limits.chargeCalls(payerOf({ token, id }), rateLimit - 3);
  const response = await fetchDoor(door, token);
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringMatching(`${body.publicId}|There is no board`),
  ]);
});
