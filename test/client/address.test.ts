import { expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { forward, sessionCookies } from "../../src/client/server/index.ts";

/** The address that a client calls for its own user. */
async function calledBy(url: string): Promise<string> {
  let called = "";
  const client = createClient({
    url,
    retries: 0,
    fetch: async (address) => {
      called = address;
      return Response.json({ result: { data: {} } });
    },
  });
  await client.user.me().catch(() => undefined);
  return called.replace(/\?.*$/, "");
}

test.each([
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["http://127.0.0.1:3000//", "http://127.0.0.1:3000"],
  ["http://127.0.0.1:3000/api/v1", "http://127.0.0.1:3000"],
  ["https://boards.example.com/team/api/v1/", "https://boards.example.com/team"],
  ["https://boards.example.com/trpc", "https://boards.example.com"],
  ["https://boards.example.com/team", "https://boards.example.com/team"],
  ["/bff/", "/bff"],
  ["", ""],
])("a client of %s calls %s", async (url, base) => {
  expect(await calledBy(url)).toBe(`${base}/trpc/user.me`);
});

test.each([
  ["127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["localhost:3000", "http://localhost:3000"],
  ["boards.example.com", "http://boards.example.com"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["ftp://boards.example.com", "http://boards.example.com"],
  ["ws://127.0.0.1:3000", "http://127.0.0.1:3000"],
])("%s says to write %s, in the client and on servers", (url, advice) => {
  const message = `Write "${advice}".`;
  expect(() => createClient({ url })).toThrow(message);
  expect(() => sessionCookies({ url })).toThrow(message);
});

test("a forwarded request says it too", async () => {
  const request = new Request("http://page.example.com/trpc/user.me");
  const forwarded = forward(request, { url: "localhost:3000", path: "/trpc/user.me", token: "t" });
  await expect(forwarded).rejects.toThrow('Write "http://localhost:3000".');
});
