import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";

const origin = "https://app.example.com";
const app = useApp({ env: { CORS_ORIGINS: origin } });

const exposed = async (from: string) => {
  const { headers } = await app().call({
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
