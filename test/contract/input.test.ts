import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { ignoresQuery } from "../../src/contract/interface.ts";
import { isOperation } from "../../src/contract/policy.ts";
import { addressOf, callOf, idsOf, operations } from "./operations.ts";
import { chunks, sendRaw, type Raw } from "./raw.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const json = "application/json";
const send = (raw: Omit<Raw, "token">) =>
  sendRaw(app(), { ...raw, path: `/api/v1${raw.path}`, token: world.admin.token });
const deep = (levels: number, open = "[", close = "]") =>
  open.repeat(levels) + close.repeat(levels);

const withBody = operations.filter(({ method }) => method !== "GET");
const writing = withBody.filter(({ method }) => method !== "DELETE");

describe.each(withBody)("$name", (operation) => {
  const at = () => ({ method: operation.method, path: callOf(operation, world).path });

  test("is 415 for a body without a JSON content type", async () => {
    for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "json", ""]) {
      const reply = await send({ ...at(), body: "{}", ...(type === undefined ? {} : { type }) });
      expectFailure(reply, "UNSUPPORTED_MEDIA_TYPE", [{}]);
    }
  });

  test.each([
    "{",
    "{'a':1}",
    '{"a":1,}',
    '{"a":undefined}',
    '{"a":NaN}',
    '{"a":01}',
    "{} {}",
    "a=1",
    '"\u0000"',
    '{"a":"\t"}',
  ])("is 400 for %j, which is not JSON", async (body) => {
    expectFailure(await send({ ...at(), type: json, body }), "BAD_REQUEST", [{}]);
  });

  test.each(["[]", "[{}]", "null", '"text"', "1", "true", "  null  "])(
    "is 400 for %s, which is not an object",
    async (body) => {
      expectFailure(await send({ ...at(), type: json, body }), "BAD_REQUEST", [{}]);
    },
  );

  test("is 400 for keys of Object.prototype", async () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const body = `{"${key}":{"isAdmin":true}}`;
      const reply = await send({ ...at(), type: json, body });
      expectFailure(reply, "BAD_REQUEST");
      expect(reply.body.issues).toContainEqual(expect.objectContaining({ path: [key] }));
    }
    expect({}).not.toHaveProperty("isAdmin");
  });

  test("is 400 for keys that cannot be stored", async () => {
    for (const key of ["\\u0000", "a\\u0000", "\\ud800"]) {
      const body = `{"fields":{"${key}":"x"}}`;
      const issues = [{ code: "invalid_text", path: ["fields", JSON.parse(`"${key}"`)] }];
      expectFailure(await send({ ...at(), type: json, body }), "BAD_REQUEST", issues);
    }
  });

  test("is 413 for 2 MiB, with a length and without one", async () => {
    const body = new Uint8Array(2 * 1024 * 1024).fill(32);
    expectFailure(await send({ ...at(), type: json, body }), "PAYLOAD_TOO_LARGE", [{}]);
    const { stream, pulled } = chunks(1000);
    expectFailure(await send({ ...at(), type: json, body: stream }), "PAYLOAD_TOO_LARGE", [{}]);
    expect(pulled()).toBeLessThan(20);
  });

  test("is 400 for 10,000 levels of nesting", async () => {
    for (const value of [deep(10_000), deep(10_000, '{"a":[', "]}").replace("[]", "[1]")]) {
      const reply = await send({ ...at(), type: json, body: `{"name":${value},"x":1}` });
      expectFailure(reply, "BAD_REQUEST");
      expect(JSON.stringify(reply.body).length).toBeLessThan(10_000);
    }
  });
});

describe.each(writing)("$name", (operation) => {
  test("accepts an empty body", async () => {
    const { method, path } = callOf(operation, world);
    const bare = await send({ method, path });
    const empty = await send({ method, path, type: json, body: "" });
    const braces = await send({ method, path, type: json, body: "{}" });
    expect(empty.status).toBe(bare.status);
    expect(braces.status).toBe(bare.status);
    if (bare.status !== 200) expect([empty.body, braces.body]).toEqual([bare.body, bare.body]);
  });

  test("rejects body fields in the query, or ignores them where the interface has no 400", async () => {
    const { method, path, body } = callOf(operation, world);
    for (const [field, value] of Object.entries(body ?? { provider: "github" })) {
      const query = new URLSearchParams({ [field]: String(value) }).toString();
      const reply = await app().call({
        method,
        path: `${path}?${query}`,
        body,
        token: world.admin.token,
      });
      if (isOperation(operation.name) && ignoresQuery(operation.name))
        expect(reply.status).not.toBe(400);
      else expectFaults(reply, field);
    }
  });
});

describe.each(operations.filter((operation) => idsOf(operation).length > 0))(
  "$name",
  (operation) => {
    test("rejects a path id in the body or query", async () => {
      for (const id of idsOf(operation)) {
        const { method, path, body } = callOf(operation, world);
        const own = { [id]: operation.ids(world)[id] };
        const token = world.admin.token;
        if (method !== "GET") {
          const reply = await app().call({ method, path, body: { ...body, ...own }, token });
          expectFaults(reply, id);
        }
        const query = new URLSearchParams({ [id]: own[id] ?? "" }).toString();
        expectFaults(await app().call({ method, path: `${path}?${query}`, body, token }), id);
      }
    });

    test.each([
      ["%00".repeat(12), [400]],
      ["abcdefghijk%00", [400]],
      ["%zz".repeat(12), [400, 404]],
      ["%".repeat(12), [400, 404]],
      ["%C3".repeat(12), [400, 404]],
      ["%ED%A0%80".repeat(12), [400, 404]],
      ["abcdef%2Fghijkl", [404]],
      ["..%2F..%2F..%2Fetc", [404]],
      ["%2E%2E%2F%2E%2E%2Fabcdefg", [404]],
      ["abcdef%0d%0aX-Evil:1", [404]],
      ["%F0%9F%99%82".repeat(12), [404]],
      ["'; DROP TABLE cards;--", [404]],
      ["__proto__constructor", [404]],
      ["{cardPublicId}", [404]],
      [":cardPublicId", [404]],
      ["a".repeat(15_000), [400]],
    ])("is 404 under %s", async (text, statuses) => {
      for (const id of idsOf(operation)) {
        const path = addressOf(operation, { ...operation.ids(world), [id]: "~HERE~" });
        const reply = await send({
          method: operation.method,
          path: path.replace("~HERE~", text),
          ...(operation.body === undefined
            ? {}
            : { type: json, body: JSON.stringify(operation.body(world)) }),
        });
        expect(statuses).toContain(reply.status);
        expectFailure(reply, reply.status === 400 ? "BAD_REQUEST" : "NOT_FOUND");
        expect(reply.headers.get("x-evil")).toBeNull();
      }
    });
  },
);

test("a missing field has a path and the message Required, over REST and tRPC", async () => {
  const body = { title: "A card", listPublicId: world.list, checklists: [{}] };
  const missing = (...path: (string | number)[]) =>
    expect.objectContaining({ message: "Required", path });
  const { rest, trpc } = world.admin;
  expect((await rest.post("/cards", body)).body.issues).toEqual([missing("checklists", 0, "name")]);
  expect((await rest.post("/cards")).body.issues).toEqual([
    missing("title"),
    missing("listPublicId"),
  ]);
  const call = trpc.card.create.mutate({} as Parameters<typeof trpc.card.create.mutate>[0]);
  const { data } = await call.then(
    () => ({ data: null }),
    (error: { data: unknown }) => error,
  );
  expect(data).toMatchObject({ issues: [missing("title"), missing("listPublicId")] });
});

test("a missing date has the message Required", async () => {
  const path = `/workspaces/${world.workspace.publicId}/webhooks/${"a".repeat(12)}/replay`;
  const { body } = await world.admin.rest.post(path, {});
  expect(body.issues).toEqual([expect.objectContaining({ message: "Required", path: ["since"] })]);
});
