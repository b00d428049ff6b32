import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { createDeps, type AppDeps } from "../../../src/app/deps.ts";
import { quietOutages } from "../../../src/api/outage-log.ts";
import { noDatabase, readOnlyDatabase } from "../../../src/platform/db/database-errors.ts";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { createLogger } from "../../../src/api/request-log.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("a request's line names its operations and the code of its failure", async () => {
  const lines: string[] = [];
  const { config, db, outgoing } = app().deps;
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const deps = await createDeps({ config, log, db, outgoing, stopping: () => false });
  const service = createApp(deps);
  await service.request("/api/v1/boards/missing00000");
  await service.request("/trpc/board.get,user.me?batch=1&input={}");
  await service.request("/api/v1/health");
  await service.request("/api/v1/no-such-path");
  await service.request("/trpc/user.me,secret-text?batch=1&input={}");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { operation: "board.get", failure: "UNAUTHORIZED", status: 401, msg: "request" },
    { operation: "board.get,user.me", failure: "UNAUTHORIZED" },
    { route: "/api/v1/health", status: 200 },
    { failure: "path_not_found", status: 404 },
    { operation: "user.me", route: "/trpc/*" },
  ]);
  expect(lines.join("")).not.toContain("secret-text");
});

test.each(
  ["password", "token", "secret", "authorization", "cookie", "apiKey", "key"].concat(
    // A database error contains the whole row.
    ["detail", "parameters", "values"],
  ),
)("a field %s is not in the log, nor within what is logged", (name) => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const secret = { [name]: "what nobody may read" };
  log.info(secret, "said");
  log.info({ headers: secret, id: "shown" }, "said");
  log.error({ err: { cause: secret } }, "said");
  expect(lines.join("")).toContain("shown");
  expect(lines.join("")).not.toContain("nobody");
  for (const line of lines) expect(line).toContain(`"${name}":"[redacted]"`);
});

test("the line of a request that the database did not answer says why", async () => {
  const lines: string[] = [];
  const { config, outgoing } = app().deps;
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const db = await openDatabase("postgresql://127.0.0.1:1/closed", 2, log);
  onTestFinished(() => db.close());
  const deps = await createDeps({ config, log, db, outgoing, stopping: () => false });
  const { admin } = await makeWorkspace(app());
  const { status } = await createApp(deps).request("/api/v1/boards/missing00000", {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(status).toBe(503);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      failure: "database_unavailable",
      cause: expect.stringContaining("ECONNREFUSED"),
    }),
  );
});

/** The application with another log, and what it has logged. */
async function withLog(env: Partial<AppDeps["config"]> = {}) {
  const lines: Record<string, unknown>[] = [];
  const { config, db, outgoing } = app().deps;
  const log = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const settings = { ...config, ...env };
  const deps = await createDeps({ config: settings, log, db, outgoing, stopping: () => false });
  return { deps, service: createApp(deps), lines };
}

test("a request's line names user, workspace and client address, at each door", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId } = workspace;
  const { token, publicId: user } = workspace.admin;
  const { service, lines } = await withLog({ TRUST_PROXY: 1 });
  const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "192.0.2.7" };
  const input = encodeURIComponent(JSON.stringify({ workspacePublicId: publicId }));
  await service.request(`/api/v1/workspaces/${publicId}`, { headers });
  await service.request(`/trpc/workspace.get?input=${input}`, { headers });
  await service.request("/api/v1/boards/missing00000", { headers });
  await service.request("/api/v1/health", { headers: { "x-forwarded-for": "192.0.2.8" } });
  const caller = { user, address: "192.0.2.7" };
  expect(lines).toMatchObject([
    { ...caller, workspace: publicId, status: 200, route: "/api/v1/workspaces/:workspacePublicId" },
    { ...caller, workspace: publicId, operation: "workspace.get" },
    { ...caller, status: 404 },
    { address: "192.0.2.8", operation: "health.check" },
  ]);
  expect(lines[3]).not.toHaveProperty("user");

  const quiet = await withLog({ LOG_ADDRESSES: false, TRUST_PROXY: 1 });
  await quiet.service.request(`/api/v1/workspaces/${publicId}`, { headers });
  expect(quiet.lines).toMatchObject([{ user, workspace: publicId, status: 200 }]);
  expect(JSON.stringify(quiet.lines)).not.toContain("192.0.2.7");
});

test("probes are in the log when their answer changes, once", async () => {
  const { service, lines } = await withLog({ ADMIN_KEY: "the key of the operator" });
  for (let nth = 0; nth < 3; nth++) {
    for (const path of ["/livez", "/readyz", "/metrics"]) await service.request(path);
  }
  const headers = { "X-Admin-Key": "the key of the operator" };
  for (let nth = 0; nth < 3; nth++) await service.request("/metrics", { headers });
  // Without the key, and then with it.
  expect(lines).toMatchObject([
    { route: "/metrics", status: 401 },
    { route: "/metrics", status: 200 },
  ]);
});

test("lines about an outage have no stack, and each is written once in ten seconds", () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const outage = () => noDatabase(new Error("connect ECONNREFUSED 192.0.2.9:5432"));
  for (let nth = 0; nth < 490; nth++) {
    log.warn({ err: outage() }, "reading the job queue failed");
    log.error({ err: readOnlyDatabase(), job: 7 }, "the job failed");
  }
  const unrelated = Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:25"), {
    code: "ECONNREFUSED",
  });
  for (const job of [1, 2]) log.warn({ err: unrelated, job }, "sending a mail failed");
  log.error({ err: new Error("a defect") }, "request failed");
  log.error({ err: new Error("a defect") }, "request failed");
  expect(lines).toMatchObject([
    { msg: "reading the job queue failed", cause: "connect ECONNREFUSED 192.0.2.9:5432" },
    { msg: "the job failed", job: 7 },
    { msg: "sending a mail failed", job: 1, err: { stack: expect.any(String) } },
    { msg: "sending a mail failed", job: 2 },
    { msg: "request failed", err: { stack: expect.stringContaining("a defect") } },
    { msg: "request failed" },
  ]);
  expect(lines[0]).not.toHaveProperty("err");
});

test("a line after ten seconds says how many were left out", () => {
  let now = 0;
  const lines: unknown[][] = [];
  const quiet = quietOutages(() => now);
  const warn = () =>
    quiet.call(
      pino(),
      [{ err: noDatabase() }, "down"],
      (...args: unknown[]) => {
        lines.push(args);
      },
      40,
    );
  for (const at of [0, 1, 9_999, 10_000, 10_001]) {
    now = at;
    warn();
  }
  expect(lines).toMatchObject([
    [{ repeated: undefined }, "down"],
    [{ repeated: 2 }, "down"],
  ]);
});

test("each route is logged and measured under its own pattern, whatever else matches its path", async () => {
  const lines: string[] = [];
  const { config, db, outgoing } = app().deps;
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const settings = { ...config, ADMIN_KEY: "the key of the operator" };
  const deps = await createDeps({ config: settings, log, db, outgoing, stopping: () => false });
  const service = createApp(deps);
  const expected: string[] = [];
  for (const { method, path, options } of routesOf(appRouter)) {
    for (const pattern of [path, options.alias ?? []].flat()) {
      const url = `/api/v1${pattern.replaceAll(/\{\w+\}/g, "missing00000")}`;
      // An unknown credential ends each call before it does anything.
      await service.request(url, { method, headers: { Authorization: "Bearer unknown" } });
      expected.push(`${method} /api/v1${pattern.replaceAll(/\{(\w+)\}/g, ":$1")}`);
    }
  }
  const logged = lines.map((line): string => {
    const { method, route }: { method: string; route: string } = JSON.parse(line);
    return `${method} ${route}`;
  });
  expect(logged).toEqual(expected);
  const measured = (await deps.metrics?.read())?.text ?? "";
  for (const line of new Set(expected)) {
    const [method, route] = line.split(" ");
    expect(measured).toContain(`{method="${method}",route="${route}"`);
  }
});
