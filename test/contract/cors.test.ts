import { expect, test } from "vitest";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { useApp } from "../support/app.ts";

const origin = "https://app.example.com";
const preflight = { Origin: origin, "Access-Control-Request-Method": "PATCH" };
const app = useApp({ env: { CORS_ORIGINS: origin } });
const development = useApp({ env: { NODE_ENV: "development" } });
const production = useApp({ env: { NODE_ENV: "production" } });

const exposed = async (from: string, service = app) => {
  const { headers } = await service().call({
    method: "GET",
    path: "/health",
    headers: { Origin: from },
  });
  return {
    origin: headers.get("access-control-allow-origin"),
    names: (headers.get("access-control-expose-headers") ?? "")
      .split(",")
      .map((name) => name.trim()),
  };
};

test("a frontend of an allowed origin can read every header, also of files", async () => {
  const { origin: allowed, names } = await exposed(origin);
  expect(allowed).toBe(origin);
  expect(names).toEqual(
    expect.arrayContaining([
      "ETag",
      "X-Request-Id",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "Idempotency-Replayed",
      "Last-Event",
      "Feed-Cursor",
      "Content-Disposition",
      "Content-Range",
      "Accept-Ranges",
    ]),
  );
});

test("no other origin is allowed", async () => {
  expect((await exposed("https://evil.example")).origin).toBe(null);
});

test("in development pages of this machine are allowed, until CORS_ORIGINS is set", async () => {
  for (const local of ["http://localhost:5173", "http://127.0.0.1:4000", "http://[::1]:80"]) {
    expect((await exposed(local, development)).origin).toBe(local);
    expect((await exposed(local, production)).origin).toBe(null);
    expect((await exposed(local)).origin).toBe(null);
  }
  const others = ["http://localhost.evil.example", "https://evil.example", "http://localhost:1/x"];
  for (const other of others) expect((await exposed(other, development)).origin).toBe(null);
});

test("a preflight offers exactly the methods of its path", async () => {
  const routes = routesOf(appRouter).map(({ path }) => path.replace(/\{\w+\}/g, "p5d2h8s4t6b1"));
  for (const path of new Set(routes)) {
    const asked = (method: string) =>
      app().fetch(new Request(`http://service/api/v1${path}`, { method, headers: preflight }));
    const answer = await asked("OPTIONS");
    const offered = (answer.headers.get("access-control-allow-methods") ?? "").split(",");
    const refused = await asked("PATCH");
    const allowed = (refused.headers.get("allow") ?? "").split(", ");
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      if (allowed.includes(method)) continue;
      expect([method, path, (await asked(method)).status]).toEqual([method, path, 405]);
    }
    expect([path, ...offered.toSorted()]).toEqual([path, ...new Set(allowed.toSorted())]);
  }
});

test("a preflight for a path that does not exist offers no method", async () => {
  const request = new Request("http://service/api/v1/nowhere", {
    method: "OPTIONS",
    headers: preflight,
  });
  const { headers: answered } = await app().fetch(request);
  expect(answered.get("access-control-allow-methods")).toBe(null);
});
