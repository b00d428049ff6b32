import { beforeAll, describe, expect, test } from "vitest";
import { startApp, useApp } from "../support/app.ts";
import { makeUser } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { callOf, operations } from "./operations.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp({ isolated: true });
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

describe("the rate limit", () => {
  const limits = (headers: Headers) => ({
    policy: /^"[\w-]+";q=(\d+);w=(\d+)$/.exec(headers.get("ratelimit-policy") ?? "")?.slice(1),
    left: Number(/^"[\w-]+";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1]),
  });

  test("is reported on every response of an operation", async () => {
    for (const operation of operations) {
      for (const token of [undefined, world.stranger.token]) {
        const { headers } = await app().call({ ...callOf(operation, world), token });
        expect(limits(headers)).toEqual({
          policy: [expect.any(String), "10"],
          left: expect.any(Number),
        });
      }
    }
  });

  test("is reported and counts on unknown paths", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "20" } });
    try {
      for (const [method, path, status] of [
        ["GET", "/nothing", 404],
        ["PATCH", "/workspaces", 405],
        ["HEAD", "/integration/callback/github", 405],
        ["GET", "/health", 200],
        ["GET", "/nothing", 429],
        ["PATCH", "/workspaces", 429],
      ] as const) {
        const reply = await strict.call({ method, path });
        expect({ path, status: reply.status }).toEqual({ path, status });
        expect(limits(reply.headers).policy).toEqual(["4", "10"]);
      }
    } finally {
      await strict.close();
    }
  });

  test("counts per user, and is 429 with Retry-After beyond it", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "20" } });
    try {
      const [one, other] = [await makeUser(strict), await makeUser(strict)];
      for (let left = 19; left >= 0; left--) {
        const { status, headers } = await one.rest.get("/workspaces");
        expect({ status, ...limits(headers) }).toEqual({ status: 200, policy: ["20", "10"], left });
      }
      for (const path of ["/workspaces", "/workspaces?nonsense=1", "/cards/aaaaaaaaaaaa"]) {
        const reply = await one.rest.get(path, { headers: { "X-Forwarded-For": "203.0.113.9" } });
        expectFailure(reply, "TOO_MANY_REQUESTS", [{}]);
        expect(limits(reply.headers)).toEqual({ policy: ["20", "10"], left: 0 });
        expect(reply.headers.get("retry-after")).toMatch(/^([1-9]|10)$/);
      }
      const native = await strict.call({
        method: "GET",
        path: "/trpc/workspace.list",
        token: one.token,
      });
      expect([native.status, native.body.error.data.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
      expect(native.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await other.rest.get("/workspaces")).status).toBe(200);
      expect(strict.errors).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  test("counts every call of a batch", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "50" } });
    try {
      const { token } = await makeUser(strict);
      const path = `/trpc/${Array.from({ length: 30 }, () => "workspace.list").join()}?batch=1`;
      const first = await strict.call({ method: "GET", path, token });
      expect(first.status).toBe(200);
      expect(limits(first.headers).left).toBe(20);
      expect((await strict.call({ method: "GET", path, token })).status).toBe(429);
    } finally {
      await strict.close();
    }
  });

  test("is that of clients without a credential for invalid keys, over REST and tRPC", async () => {
    for (const path of ["/workspaces", "/trpc/workspace.list"]) {
      const strict = await startApp({ env: { RATE_LIMIT: "25" } });
      try {
        const statuses = [];
        for (let nth = 0; nth < 7; nth++) {
          const reply = await strict.call({ method: "GET", path, token: `wbs_guess${nth}` });
          statuses.push(reply.status);
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      } finally {
        await strict.close();
      }
    }
  });

  test("is a fifth for clients without a credential, whatever X-Forwarded-For says", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "25" } });
    try {
      const statuses = [];
      for (let index = 0; index < 7; index++) {
        const headers = {
          "X-Forwarded-For": `203.0.113.${index}`,
          Forwarded: `for=10.0.0.${index}`,
        };
        statuses.push((await strict.call({ method: "GET", path: "/workspaces", headers })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    } finally {
      await strict.close();
    }
  });

  test.each([
    ["an operation", "GET", "/workspaces"],
    ["a public operation", "GET", "/permissions"],
    ["a path without an operation", "GET", "/nothing"],
    ["tRPC", "GET", "/trpc/permission.vocabulary"],
  ])("counts a random key for the client's address on %s", async (_, method, path) => {
    const strict = await startApp({ env: { RATE_LIMIT: "25" } });
    try {
      const statuses = [];
      for (let nth = 0; nth < 7; nth++) {
        const token = `wbs_${nth}_${Math.random()}`;
        statuses.push((await strict.call({ method, path, token })).status);
      }
      expect(statuses.slice(5)).toEqual([429, 429]);
      expect(statuses.slice(0, 5)).not.toContain(429);
    } finally {
      await strict.close();
    }
  });

  test("is the user's own once the session is confirmed", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "25" } });
    try {
      const valid = await makeUser(strict);
      const statuses = [];
      for (let nth = 0; nth < 30; nth++) statuses.push((await valid.rest.get("/users/me")).status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    } finally {
      await strict.close();
    }
  });

  test("lets a valid credential start with many calls at a time", async () => {
    const strict = await startApp({ env: { RATE_LIMIT: "50" } });
    try {
      const { rest } = await makeUser(strict);
      const replies = await Promise.all(Array.from({ length: 30 }, () => rest.get("/users/me")));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await strict.close();
    }
  });

  test.each([
    [
      "registration",
      "/auth/register",
      (n: number) => ({ email: `a${n}@example.com`, password: "a long password", name: "A" }),
    ],
    [
      "reset token",
      "/auth/password/reset",
      (n: number) => ({ token: `guess${n}`, newPassword: "a long password" }),
    ],
    ["refresh token", "/auth/refresh", (n: number) => ({ refreshToken: `rt_guess${n}` })],
    [
      "token of an app",
      "/oauth/token",
      (n: number) => ({
        grantType: "refresh_token",
        clientId: "wbs-cli",
        refreshToken: `guess${n}`,
      }),
    ],
  ])("limits the attempts of a client at a %s", async (_, path, body) => {
    const strict = await startApp({ env: { AUTH_RATE_LIMIT: "1" } });
    try {
      const statuses = [];
      for (let nth = 0; nth < 12; nth++) {
        statuses.push((await strict.call({ method: "POST", path, body: body(nth) })).status);
      }
      expect(statuses.slice(0, 10)).not.toContain(429);
      expect(statuses.slice(10)).toEqual([429, 429]);
      // An app that goes on failing ends nobody's sign-in.
      const login = { email: "a@example.com", password: "a wrong password" };
      const { status } = await strict.call({ method: "POST", path: "/auth/login", body: login });
      expect(status).toBe(path === "/oauth/token" ? 401 : 429);
    } finally {
      await strict.close();
    }
  });
});
