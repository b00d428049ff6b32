import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";

const app = useApp();

test("GET / leads to the reference page", async () => {
  const root = "http://service/";
  const { status, headers } = await app().fetch(new Request(root));
  expect(status).toBe(302);
  const page = await app().fetch(new Request(new URL(headers.get("Location") ?? "", root)));
  expect(page.status).toBe(200);
  expect(page.headers.get("Content-Type")).toContain("text/html");
});
