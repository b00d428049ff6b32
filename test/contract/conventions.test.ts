import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { expectFailure } from "./failure.ts";
import { callOf, operations } from "./operations.ts";
import { sendRaw } from "./raw.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp({ isolated: true });
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

describe("X-Request-Id", () => {
  test("is taken from the request when it is valid, over REST and tRPC", async () => {
    for (const id of ["a", "6f2c1a44-0f0e-4b43-9d5b-5a35e0f3f9a1", "A.b:c_d-1", "x".repeat(128)]) {
      for (const path of ["/workspaces", "/nothing", "/trpc/health.check"]) {
        const headers = { "X-Request-Id": id };
        const reply = await app().call({ method: "GET", path, headers });
        expect(reply.headers.get("x-request-id")).toBe(id);
      }
    }
  });

  test("is generated when the request has no valid one", async () => {
    const seen = new Set<string>();
    for (const id of [undefined, "", " ", "a b", "x".repeat(129), '"quoted"', "é", "<script>"]) {
      const headers = id === undefined ? {} : { "X-Request-Id": id };
      const reply = await app().call({ method: "GET", path: "/workspaces", headers });
      const made = reply.headers.get("x-request-id") ?? "";
      expect(made).toMatch(/^[\w.:-]{8,}$/);
      expect(made).not.toBe(id);
      seen.add(made);
    }
    expect(seen.size).toBe(8);
  });

  test("is on every response", async () => {
    const { token } = world.admin;
    const responses = [
      ["GET", "/api/v1/workspaces"],
      ["GET", "/api/v1/health"],
      ["GET", "/api/v1/nothing"],
      ["PATCH", "/api/v1/workspaces"],
      ["HEAD", "/api/v1/workspaces"],
      ["POST", "/api/v1/lists"],
      ["GET", "/api/v1/openapi.json"],
      ["GET", "/api/v1/openapi.yaml"],
      ["GET", "/trpc/workspace.list"],
      ["GET", "/trpc/nothing.atAll"],
      ["GET", "/livez"],
      ["GET", "/readyz"],
      ["GET", "/docs/"],
      ["GET", "/"],
    ] as const;
    const without = [];
    for (const [method, path] of responses) {
      const reply = await app().fetch(
        new Request(`http://service${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}` },
        }),
      );
      if (reply.headers.get("x-request-id") === null) without.push(`${method} ${path}`);
    }
    expect(without).toEqual([]);
  });
});

describe("a method that a path does not have", () => {
  test.each([
    ["/workspaces", "GET, POST, HEAD"],
    ["/lists", "POST"],
    ["/cards/aaaaaaaaaaaa/labels/aaaaaaaaaaaa", "PUT, PATCH, DELETE"],
    ["/checklists/items/aaaaaaaaaaaa", "PUT, PATCH, DELETE"],
    ["/integration/authorize", "GET, HEAD"],
    ["/integrations/github/projects", "GET, HEAD"],
    ["/imports/trello/boards", "GET, POST, HEAD"],
    ["/workspaces/aaaaaaaaaaaa/webhooks/aaaaaaaaaaaa/test", "POST"],
  ])("is 405 on %s, with the known methods in Allow", async (path, allow) => {
    const known = allow.split(", ");
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"];
    for (const method of others.filter((each) => !known.includes(each))) {
      for (const token of [undefined, world.admin.token]) {
        const reply = await app().call({ method, path, token });
        expectFailure(reply, "METHOD_NOT_SUPPORTED");
        const received = (reply.headers.get("allow") ?? "").split(/, */);
        expect(received.toSorted()).toEqual(known.toSorted());
      }
    }
  });
});

describe("a path that does not exist", () => {
  test.each([
    "/nothing",
    "/",
    "",
    "/workspaces//",
    "/Workspaces",
    "//workspaces",
    "/workspaces/a/b/c/d",
    "/lists/aaaaaaaaaaaa/nothing",
    "/cards//labels/aaaaaaaaaaaa",
    "/%zz",
    "/%00",
    "/../../etc/passwd",
    "/integrations/gitlab/projects",
    "/imports/jira/boards",
  ])("is 404 at %j, with or without a credential", async (path) => {
    for (const token of [undefined, world.admin.token]) {
      expectFailure(
        await sendRaw(app(), { method: "GET", path: `/api/v1${path}`, token }),
        "NOT_FOUND",
      );
    }
  });

  test("is 404 outside the API too", async () => {
    for (const path of ["/api", "/api/v2/workspaces", "/workspaces", "/.env", "/api/v1.json"]) {
      expectFailure(await sendRaw(app(), { method: "GET", path }), "NOT_FOUND");
    }
  });
});

describe("HEAD", () => {
  test.each(operations.filter(({ method }) => method === "GET"))(
    "has the status and headers of GET and no body: $name",
    async (operation) => {
      const { path } = callOf(operation, world);
      for (const token of [undefined, world.admin.token]) {
        const get = await app().call({ method: "GET", path, token });
        const head = await app().call({ method: "HEAD", path, token });
        expect(head.status).toBe(get.status);
        expect(head.body).toBeUndefined();
        for (const name of ["content-type", "etag", "www-authenticate"]) {
          expect(head.headers.get(name)).toBe(get.headers.get(name));
        }
      }
    },
  );

  test("is 405 without a GET", async () => {
    const { token } = world.admin;
    const reply = await app().call({ method: "HEAD", path: "/lists", token });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("Cache-Control", () => {
  test("of a read allows only private caches, with revalidation", async () => {
    const { rest } = world.admin;
    const first = await rest.get("/workspaces");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    const second = await rest.get("/workspaces", { headers });
    expect(second.status).toBe(304);
    expect(second.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("of tokens, writes and errors is no-store", async () => {
    const { rest } = world.admin;
    const { email } = world.admin;
    for (const reply of [
      await rest.post("/auth/login", { email, password: "no password of theirs" }),
      await rest.post("/auth/stream-ticket"),
      await rest.put(`/cards/${world.card}`, {}),
      await rest.get("/nothing"),
    ]) {
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
  });
});
