import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { createDeps } from "../../../src/app/deps.ts";
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
