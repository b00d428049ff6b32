import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";

const app = useApp();
const post = (body: string) =>
  app().call({
    method: "POST",
    path: "/auth/login",
    body,
    headers: { "Content-Type": "application/json" },
  });
const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`k${nth}`, 1])));

test.each([
  ["990 kB of fields", fields(90_000), 413],
  ["many fields", fields(2_000), 400],
  ["500,000 brackets", "[".repeat(500_000), 413],
  ["20,000 brackets", "[".repeat(20_000), 400],
])("%s on a public operation gets a small response", async (_, body, status) => {
  const reply = await post(body);
  expect(reply.status).toBe(status);
  expect(reply.body.issues.length).toBeLessThanOrEqual(50);
  expect(JSON.stringify(reply.body).length).toBeLessThan(20_000);
});

test("colons and brackets in strings do not count", async () => {
  const body = JSON.stringify({ email: "a@example.com", password: `${"[{:".repeat(40)}\\"` });
  expect((await post(body)).status).toBe(401);
});
