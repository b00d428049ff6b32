import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/platform/config.ts";
import { useApp } from "../support/app.ts";

const paths = [
  "/api/v1/health",
  "/api/v1/users/me",
  "/nowhere",
  "/docs",
  "/livez",
  "/trpc/user.me",
];
const headersOf = async (app: ReturnType<ReturnType<typeof useApp>>, path: string) =>
  (await app.fetch(new Request(`http://service${path}`))).headers;

describe("a service over http", () => {
  const app = useApp();
  test.each(paths)("sends nosniff and no HSTS at %s", async (path) => {
    const headers = await headersOf(app(), path);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Strict-Transport-Security")).toBe(null);
  });
});

describe("a service over https", () => {
  const app = useApp({ env: { BASE_URL: "https://boards.example.com" } });
  test.each(paths)("sends HSTS at %s", async (path) => {
    const headers = await headersOf(app(), path);
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  });
});

test("without NODE_ENV a service on a public address is in production", () => {
  expect(readConfig({ HOST: "0.0.0.0" }).NODE_ENV).toBe("production");
  expect(readConfig({ HOST: "0.0.0.0", NODE_ENV: "development" }).NODE_ENV).toBe("development");
  expect(readConfig({ HOST: "127.0.0.1" }).NODE_ENV).toBe("development");
});
