import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { useApp } from "../support/app.ts";
import document from "./openapi.json" with { type: "json" };

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

/** Headers of answers that a page has no use for, or reads without being allowed to. */
const unexposed = new Set([
  // CORS-safelisted.
  "Cache-Control",
  "Content-Length",
  "Content-Type",
  // For the browser and for proxies.
  "Access-Control-Allow-Origin",
  "Connection",
  "Content-Encoding",
  "Content-Security-Policy",
  "Referrer-Policy",
  "Service-Worker-Allowed",
  "Set-Cookie",
  "Strict-Transport-Security",
  "Vary",
  "X-Accel-Buffering",
  "X-Content-Type-Options",
  "X-Frame-Options",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Permissions-Policy",
  // Browsers read it themselves.
  "Service-Worker-Allowed",
  // No page can read the answer that redirects.
  "Location",
  // Of requests.
  "MCP-Protocol-Version",
  "Accept",
  "Authorization",
  "Accept-Encoding",
  "User-Agent",
  "If-Match",
  "If-None-Match",
  "Idempotency-Key",
  "Last-Event-ID",
  "X-Admin-Key",
  "X-Forwarded-For",
  "Range",
  "X-GitHub-Api-Version",
  "Origin",
  "Host",
  "Expect",
]);

/** The names of headers that the code of the HTTP interface sets. */
function headersInCode(): string[] {
  const folders = ["api", "app", "kernel", "platform/http"];
  const texts = folders.flatMap((folder) => {
    const root = new URL(`../../src/${folder}/`, import.meta.url);
    const files = readdirSync(root, { recursive: true }).map(String);
    return files
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(new URL(name, root), "utf8"));
  });
  const written = /"([A-Z]\w*(?:-[A-Z]\w*)+)"|\b(ETag|Allow|Vary|RateLimit|Connection|Location): /g;
  const found = texts.flatMap((text) => [...text.matchAll(written)]);
  return found.flatMap(([, quoted, plain]) => quoted ?? plain ?? []);
}

/** The names of headers that the document has for its answers. */
const headersInDocument = () =>
  Object.values(document.components.responses).flatMap(({ headers }) => Object.keys(headers));

test("a frontend of an allowed origin can read every header, also of files", async () => {
  const { origin: allowed, names } = await exposed(origin);
  expect(allowed).toBe(origin);
  const sent = new Set([...headersInCode(), ...headersInDocument()]);
  expect([...sent]).toEqual(expect.arrayContaining(["Allow", "WWW-Authenticate", "ETag"]));
  expect([...sent].filter((name) => !unexposed.has(name) && !names.includes(name))).toEqual([]);
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
    const response = await asked("OPTIONS");
    const offered = (response.headers.get("access-control-allow-methods") ?? "").split(",");
    const refused = await asked("PURGE");
    const allowed = (refused.headers.get("allow") ?? "").split(", ");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allowed.includes(method)) continue;
      expect([method, path, (await asked(method)).status]).toEqual([method, path, 405]);
    }
    expect([path, ...offered.toSorted()]).toEqual([path, ...new Set(allowed.toSorted())]);
  }
});

/** The paths outside of REST that exist: the procedures of tRPC, and what the application reads. */
const otherPaths = () => [
  ...routesOf(appRouter).map(
    ({ name, definition }) =>
      [`/trpc/${name}`, definition.type === "mutation" ? "POST" : "GET"] as const,
  ),
  ...["/livez", "/readyz", "/docs", "/docs/main.js", "/api/v1/openapi.json"].map(
    (path) => [path, "GET,HEAD"] as const,
  ),
];

test("a preflight of another path offers what it has, and its answers can be read", async () => {
  for (const [path, methods] of otherPaths()) {
    const url = `http://service${path}`;
    const { headers } = await app().fetch(
      new Request(url, { method: "OPTIONS", headers: preflight }),
    );
    expect([path, headers.get("access-control-allow-methods")]).toEqual([path, methods]);
  }
  for (const path of ["/livez", "/api/v1/openapi.json", "/trpc/workspace.list"]) {
    const { headers } = await app().fetch(
      new Request(`http://service${path}`, { headers: { Origin: origin } }),
    );
    expect([path, headers.get("access-control-allow-origin")]).toEqual([path, origin]);
  }
});

test.each(["/api/v1/nowhere", "/metrics", "/nowhere", "/docs/nowhere", "/trpc/list.nothing"])(
  "a preflight of %s, which does not exist, is refused",
  async (path) => {
    const request = new Request(`http://service${path}`, { method: "OPTIONS", headers: preflight });
    const { status, headers } = await app().fetch(request);
    expect([404, 405]).toContain(status);
    expect(headers.get("access-control-allow-methods")).toBe(null);
    expect(headers.get("access-control-allow-origin")).toBe(null);
  },
);
