import { beforeAll, describe, expect, test } from "vitest";
import { callLogOf } from "../../src/api/rest/call-log.ts";
import { methodsOf } from "../../src/api/rest/allowed-methods.ts";
import { ruleOf } from "../../src/contract/policy.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { fakeDns } from "../support/dns.ts";
import { makeCard, type User } from "../support/make.ts";
import { inputWith, requestOf } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, document, isConsuming, reaching, routes } from "./examples.ts";
import { expectFailure } from "./failure.ts";
import { callOf, operations } from "./operations.ts";
import { makeWorld, type World } from "./world.ts";

// Forms of requests that are accepted beside those of the document.

const app = useApp({
  outgoing: {
    resolve: fakeDns({ "hooks.example.com": ["127.0.0.1"] }).resolve,
    policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
    now: () => new Date(),
    version: "test",
  },
});
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const unknown = (path: string) => path.replace(/\{\w+\}/g, "zzzzzzzzzzzz");

/** A request, with the operation that it reached. */
async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const hasBody = method !== "GET";
  const request = new Request(`http://service/api/v1${path}`, {
    method,
    headers: { ...headers, ...(hasBody ? { "Content-Type": "application/json" } : {}) },
    ...(hasBody ? { body: "{}" } : {}),
  });
  const answer = await app().fetch(request);
  const { operation } = callLogOf(request);
  const isJson = answer.headers.get("content-type") === "application/json";
  const body = isJson ? await answer.json() : await answer.body?.cancel();
  return { operation, status: answer.status, body };
}

describe("PATCH", () => {
  let resources: ExampleResources | undefined;

  test.each(routes.filter(([name, { method }]) => method === "PUT" && !reaching.test(name)))(
    "does what PUT does: %s",
    async (name, route, operation) => {
      resources ??= await createExampleResources(app());
      const { user } = resources;
      const input = await inputWith(name, operation, resources);
      const fields = Object.keys(bodyOf(operation)).map((field) => [field, input[field]]);
      const sent = { ids: input, query: new URLSearchParams(), body: Object.fromEntries(fields) };
      const request = requestOf({ ...route, method: "PATCH" }, operation, user.token, sent);
      const answer = await app().fetch(request);
      if (isConsuming(route)) resources = undefined;
      expect([answer.status, callLogOf(request).operation]).toEqual([200, name]);
    },
  );

  test("of a card changes only the fields that are sent", async () => {
    const card = await makeCard(world.admin, world.list);
    await world.admin.rest.put(`/cards/${card}`, { title: "A", description: "B" });
    const { token } = world.admin;
    const path = `/cards/${card}`;
    const reply = await app().call({ method: "PATCH", path, token, body: { title: "C" } });
    expect(reply).toMatchObject({ status: 200, body: { title: "C", description: "B" } });
  });

  test("is offered beside PUT, and nowhere else", () => {
    for (const [, { method, more }] of routes) {
      const offered = methodsOf(method, more);
      expect(offered.includes("PATCH")).toBe(offered.includes("PUT"));
    }
  });
});

describe("a slash at the end of a path", () => {
  test.each(routes)("is ignored: %s", async (name, { method, path }) => {
    const plain = await send(method, unknown(path));
    const slashed = await send(method, `${unknown(path)}/`);
    expect(slashed).toEqual(plain);
    expect(slashed.operation).toBe(name);
  });

  test("is ignored before a query", async () => {
    const { rest } = world.admin;
    expect((await rest.get("/workspaces/?deleted=true")).body).toEqual([]);
    expect((await rest.get("/workspaces/?deleted=false")).body).toHaveLength(1);
  });

  test("does not make an empty segment a path", async () => {
    for (const path of ["//", "/workspaces//", "/cards//labels/"]) {
      expectFailure(await world.admin.rest.get(path), "NOT_FOUND");
    }
  });
});

describe("the header X-API-Key", () => {
  let key: string;
  beforeAll(async () => {
    const { body } = await world.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "Key",
    });
    key = body.key;
  });

  test.each(routes.filter(([name]) => !["public", "operator"].includes(ruleOf(name as any).on)))(
    "is a credential as Authorization is: %s",
    async (name, { method, path }) => {
      const call = (headers: Record<string, string>) => send(method, unknown(path), headers);
      const bearer = await call({ Authorization: `Bearer ${key}` });
      const { operation, status, body } = await call({ "X-API-Key": key });
      expect({ operation, status }).toEqual({ operation: name, status: bearer.status });
      if (status !== 200) expect(body).toEqual(bearer.body);
      expect([name, bearer.status]).not.toEqual([name, 401]);
      for (const wrong of ["", "wbs_wrong", "two words"]) {
        expect((await call({ "X-API-Key": wrong })).status).toBe(401);
      }
    },
  );

  test("is not read beside Authorization", async () => {
    const { rest } = as(app(), world.guest);
    const headers = { "X-API-Key": key };
    const { body } = await rest.get("/users/me", { headers });
    expect(body.publicId).toBe((await world.guest.rest.get("/users/me")).body.publicId);
    const wrong = { headers: { "X-API-Key": key, Authorization: "Bearer wrong" } };
    expect((await as(app()).rest.get("/users/me", wrong)).status).toBe(401);
  });

  test("is a credential over tRPC", async () => {
    const { status } = await app().call({
      method: "GET",
      path: "/trpc/user.me",
      headers: { "X-API-Key": key },
    });
    expect(status).toBe(200);
  });
});

describe("an unknown query parameter", () => {
  const lenient = operations.filter(({ ignoresQuery }) => ignoresQuery === true);
  // The stand-in of Trello has its own tests.
  test.each(lenient.filter(({ name }) => name !== "import.trelloBoards"))(
    "is ignored where the interface declares no 400: $name",
    async (operation) => {
      const { token } = world.admin;
      const good = callOf(operation, world);
      const plain = await app().call({ ...good, token });
      const given = await app().call({ ...good, path: `${good.path}?limit=1&page=2`, token });
      expect(given).toMatchObject({ status: plain.status, body: plain.body });
      expect(given.status).not.toBe(400);
    },
  );

  test("is ignored only there, and the document names these operations", () => {
    const ignoring = routes.flatMap(([name, { more }]) => (more.ignoresQuery ? [name] : []));
    const named = ["workspace.create", ...lenient.map(({ name }) => name)];
    expect(ignoring.toSorted()).toEqual(named.toSorted());
    for (const name of named) expect(document.info.description).toContain(`\`${name}\``);
  });

  test("is ignored by workspace.create, also when it has the name of a field", async () => {
    const made = await world.stranger.rest.post("/workspaces?limit=1&name=B", { name: "A" });
    expect(made).toMatchObject({ status: 200, body: { name: "A" } });
  });
});

test("PUT /users changes the caller's account", async () => {
  const user: User = world.stranger;
  for (const method of ["PUT", "PATCH"]) {
    const { status, body } = await app().call({
      method,
      path: "/users",
      token: user.token,
      body: { name: `Named by ${method}` },
    });
    expect([status, body.name]).toEqual([200, `Named by ${method}`]);
  }
  expect((await user.rest.get("/users")).headers.get("allow")).toBe("PUT, PATCH");
});
