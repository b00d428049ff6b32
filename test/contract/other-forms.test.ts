import type { RestOptions } from "../../src/kernel/request/rest.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { callLogOf } from "../../src/api/rest/call-log.ts";
import { methodsOf } from "../../src/api/rest/allowed-methods.ts";
import { ignoresQuery } from "../../src/contract/interface.ts";
import { fieldsByOtherName } from "../../src/contract/vocabulary/other-names.ts";
import { ruleOf } from "../../src/contract/policy.ts";
import { useApp, type Reply } from "../support/app.ts";
import { as } from "../support/as.ts";
import { loopback } from "../support/dns.ts";
import { makeCard, type User } from "../support/make.ts";
import { adminKey, inputWith, requestOf } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, document, isConsuming, reaching, routes } from "./examples.ts";
import { expectFailure } from "./failure.ts";
import { callOf, operations } from "./operations.ts";
import { makeWorld, type World } from "./world.ts";

// Forms of requests that are accepted beside those of the document.

const app = useApp({
  env: { ADMIN_KEY: adminKey },
  outgoing: loopback("hooks.example.com"),
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
    headers: { ...(hasBody ? { "Content-Type": "application/json" } : {}), ...headers },
    ...(hasBody ? { body: "{}" } : {}),
  });
  const response = await app().fetch(request);
  const { operation } = callLogOf(request);
  const isJson = response.headers.get("content-type") === "application/json";
  const body = isJson ? await response.json() : await response.body?.cancel();
  return { operation, status: response.status, body };
}

/** The type of a body that is a file: JSON without a name is another operation there. */
const typeOf = ({ options }: { options: RestOptions }): Record<string, string> =>
  options.requestBody === "bytes" ? { "Content-Type": "text/plain" } : {};

describe("PATCH", () => {
  let resources: ExampleResources | undefined;

  test.each(routes.filter(([name, { method }]) => method === "PUT" && !reaching.test(name)))(
    "does what PUT does: %s",
    async (name, route, operation) => {
      resources ??= await createExampleResources(app());
      const { user } = resources;
      const input = await inputWith(name, operation, resources);
      if (name === "card.renewClaim") {
        await user.rest.post(`/cards/${resources.ids["card"]}/claim`, {});
      }
      const fields = Object.keys(bodyOf(operation)).map((field) => [field, input[field]]);
      const sent = { ids: input, query: new URLSearchParams(), body: Object.fromEntries(fields) };
      const request = requestOf({ ...route, method: "PATCH" }, operation, user.token, sent);
      const response = await app().fetch(request);
      if (isConsuming(route)) resources = undefined;
      expect([response.status, callLogOf(request).operation]).toEqual([200, name]);
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
    for (const [, { method, options }] of routes) {
      const offered = methodsOf(method, options);
      expect(offered.includes("PATCH")).toBe(offered.includes("PUT"));
    }
  });
});

describe("a slash at the end of a path", () => {
  test.each(routes)("is ignored: %s", async (name, route) => {
    const { method, path } = route;
    const plain = await send(method, unknown(path), typeOf(route));
    const slashed = await send(method, `${unknown(path)}/`, typeOf(route));
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
    async (name, route) => {
      const { method, path } = route;
      const call = (headers: Record<string, string>) =>
        send(method, unknown(path), { ...typeOf(route), ...headers });
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
  const lenient = operations.filter((operation) => operation.ignoresQuery === true);
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
    const ignoring = routes.flatMap(([name, { operation }]) =>
      ignoresQuery(operation) ? [name] : [],
    );
    const named = ["workspace.create", ...lenient.map(({ name }) => name)];
    expect(ignoring.toSorted()).toEqual(named.toSorted());
    for (const name of named) expect(document.info.description).toContain(`\`${name}\``);
  });

  test("is ignored by workspace.create, also when it has the name of a field", async () => {
    const made = await world.stranger.rest.post("/workspaces?limit=1&name=B", { name: "A" });
    expect(made).toMatchObject({ status: 200, body: { name: "A" } });
  });
});

describe("a planned date", () => {
  const forms: [unknown, string][] = [
    ["2031-05-04", "2031-05-04T00:00:00.000Z"],
    ["2031-05-04T10:20", "2031-05-04T10:20:00.000Z"],
    ["2031-05-04T10:20:30", "2031-05-04T10:20:30.000Z"],
    ["2031-05-04T10:20:30.123456", "2031-05-04T10:20:30.123Z"],
    ["2031-05-04T10:20:30+02:00", "2031-05-04T08:20:30.000Z"],
    [1_935_742_830, "2031-05-05T10:20:30.000Z"],
    [1_935_742_830.5, "2031-05-05T10:20:30.500Z"],
    [1_935_742_830_000, "2031-05-05T10:20:30.000Z"],
    [0, "1970-01-01T00:00:00.000Z"],
  ];
  const refused = [
    "2031-02-30",
    "2031-05-04T25:00",
    "2031-05-04T10",
    "2031-05",
    "04.05.2031",
    "1935742830",
    "",
    true,
    ["2031-05-04"],
    1e17,
    -1e14,
  ];

  /** The writes of both dates; each answers the dates that it has stored. */
  async function writes() {
    const card = await makeCard(world.admin, world.list);
    const { rest } = world.admin;
    const shown = async (reply: Reply) =>
      reply.status === 200 ? rest.get(`/cards/${card}`) : reply;
    const bulk = `/boards/${world.board}/cards/bulk`;
    return {
      "card.create": (dates: object) =>
        rest.post("/cards", { listPublicId: world.list, title: "A", ...dates }),
      "card.update": async (dates: object) => shown(await rest.put(`/cards/${card}`, dates)),
      "card.bulkUpdate": async (dates: object) =>
        shown(await rest.post(bulk, { cardPublicIds: [card], set: dates })),
    };
  }

  test.each(forms)("can be %j, read as UTC", async (given, read) => {
    for (const write of Object.values(await writes())) {
      const reply = await write({ dueDate: given, startDate: given });
      expect(reply).toMatchObject({ status: 200, body: { dueDate: read, startDate: read } });
    }
    const item = await world.admin.rest.put(`/checklists/items/${world.item}`, { dueDate: given });
    expect(item).toMatchObject({ status: 200, body: { dueDate: read } });
  });

  test.each(refused)("cannot be %j", async (given) => {
    for (const [name, write] of Object.entries(await writes())) {
      const path = name === "card.bulkUpdate" ? ["set", "dueDate"] : ["dueDate"];
      expectFailure(await write({ dueDate: given }), "BAD_REQUEST", [{ path }]);
    }
  });
});

describe("a position", () => {
  const titles = async () => {
    const { body } = await world.admin.rest.get(`/boards/${world.board}`);
    const list = body.lists.find((one: any) => one.publicId === world.list);
    return list.cards.map((one: any) => one.title);
  };

  test("is the start or the end of a list", async () => {
    const { rest } = world.admin;
    const at = (title: string, position: string) =>
      rest.post("/cards", { listPublicId: world.list, title, position });
    const first = await at("First", "start");
    await at("Last", "end");
    const before = await titles();
    expect([before.at(0), before.at(-1)]).toEqual(["First", "Last"]);
    await rest.put(`/cards/${first.body.publicId}`, { position: "end" });
    expect((await titles()).at(-1)).toBe("First");
    await rest.put(`/cards/${first.body.publicId}`, { position: "start" });
    expect((await titles()).at(0)).toBe("First");
  });

  test("is the start or the end of a board", async () => {
    const { rest } = world.admin;
    const names = async () =>
      (await rest.get(`/boards/${world.board}`)).body.lists.map((one: any) => one.name);
    const made = await rest.post("/lists", {
      boardPublicId: world.board,
      name: "Inbox",
      position: "start",
    });
    expect((await names()).at(0)).toBe("Inbox");
    await rest.put(`/lists/${made.body.publicId}`, { position: "end" });
    expect((await names()).at(-1)).toBe("Inbox");
  });

  test("excludes an index, and has two values", async () => {
    const { rest } = world.admin;
    const card = { listPublicId: world.list, title: "A" };
    const list = { boardPublicId: world.board, name: "A" };
    for (const [path, body] of [
      ["/cards", card],
      ["/lists", list],
    ] as const) {
      const both = await rest.post(path, { ...body, index: 0, position: "end" });
      expectFailure(both, "BAD_REQUEST", [{ path: ["index"] }]);
      const other = await rest.post(path, { ...body, position: "middle" });
      expectFailure(other, "BAD_REQUEST", [{ path: ["position"] }]);
    }
  });
});

/** The fields of a request in the document: of its body, or of its query. */
function describedFields({ parameters, requestBody }: any) {
  const { $ref } = requestBody?.content["application/json"].schema ?? {};
  if ($ref !== undefined) return document.components.schemas[$ref.split("/").at(-1)].properties;
  return Object.fromEntries(parameters.map((one: any) => [one.name, one]));
}

describe("another name of a field", () => {
  const named = routes.flatMap(([name, route, operation]) =>
    [...fieldsByOtherName(route.schema)].map(([other, field]) => ({
      name,
      other,
      field,
      operation,
    })),
  );

  test.each(named)("is in its description: $name, $other for $field", (one) => {
    const fields = describedFields(one.operation);
    expect(fields[one.field].description).toContain(`Also accepted as \`${one.other}\``);
    expect(Object.hasOwn(fields, one.other)).toBe(false);
  });

  test("is taken by board.list in the query", async () => {
    const { rest } = world.admin;
    const path = `/workspaces/${world.workspace.publicId}/boards`;
    const { body: other } = await rest.post(path, { name: "A favourite" });
    await rest.put(`/boards/${other.publicId}/favourite`, { isFavourite: true });
    const ids = async (query: string) =>
      (await rest.get(`${path}?${query}`)).body.items.map((one: any) => one.publicId);
    expect(await ids("favorite=true")).toEqual([other.publicId]);
    expect(await ids("favorite=False")).toEqual(await ids("favourite=false"));
    expect(await ids("favorite=0")).toContain(world.board);
    const both = await rest.get(`${path}?favorite=true&favourite=true`);
    expectFailure(both, "BAD_REQUEST", [{ path: ["favorite"] }]);
    expectFailure(await rest.get(`${path}?favorite=maybe`), "BAD_REQUEST", [
      { path: ["favourite"] },
    ]);
  });

  test("is taken by board.update, which leaves the board's version as it is", async () => {
    const { rest } = world.admin;
    const path = `/boards/${world.board}`;
    const { version } = (await rest.get(path)).body;
    for (const favorite of [true, false]) {
      const { status, body } = await rest.put(path, { favorite });
      expect({ status, ...body }).toMatchObject({ status: 200, isFavourite: favorite, version });
    }
    const both = await rest.put(path, { name: "A name", isFavourite: true });
    expect(both.body).toMatchObject({ name: "A name", isFavourite: true, version: version + 1 });
    await rest.put(path, { isFavourite: false });
  });

  test("is taken by board.favourite", async () => {
    const { rest } = world.admin;
    const path = `/boards/${world.board}/favourite`;
    for (const favorite of [true, false]) {
      expect((await rest.put(path, { favorite })).body.isFavourite).toBe(favorite);
    }
    const both = await rest.put(path, { favorite: true, isFavourite: true });
    expectFailure(both, "BAD_REQUEST", [{ path: ["favorite"] }]);
    const different = await rest.put(path, { favorite: true, favourite: false });
    expectFailure(different, "BAD_REQUEST", [{ path: ["favourite"] }]);
  });

  test("is taken by card.duplicate, for each of its fields", async () => {
    const { rest } = world.admin;
    const card = await makeCard(world.admin, world.list);
    await rest.put(`/cards/${card}/labels/${world.label}`);
    await rest.put(`/cards/${card}/members/${world.member.memberPublicId}`);
    await rest.post(`/cards/${card}/checklists`, { name: "A checklist" });
    await rest.post(`/cards/${card}/comments`, { comment: "A comment" });
    const { body: list } = await rest.post("/lists", { boardPublicId: world.board, name: "To" });
    const copy = async (value: boolean) => {
      const { body } = await rest.post(`/cards/${card}/duplicate`, {
        targetListPublicId: list.publicId,
        copyChecklists: value,
        copyLabels: value,
        copyMembers: value,
        copyAttachments: value,
        copyComments: value,
      });
      const { body: comments } = await rest.get(`/cards/${body.publicId}/comments`);
      const { listPublicId, checklists, labels, members } = body;
      return [
        listPublicId,
        checklists.length,
        labels.length,
        members.length,
        comments.items.length,
      ];
    };
    expect(await copy(true)).toEqual([list.publicId, 1, 1, 1, 1]);
    expect(await copy(false)).toEqual([list.publicId, 0, 0, 0, 0]);
  });
});

test("a new board has grey labels for names", async () => {
  const { rest } = world.admin;
  const path = `/workspaces/${world.workspace.publicId}/boards`;
  const red = { name: "Bug", colourCode: "#d73a4a" };
  const { status, body } = await rest.post(path, { name: "B", labels: ["Idea", red] });
  expect(status).toBe(200);
  const { body: board } = await rest.get(`/boards/${body.publicId}`);
  expect(board.labels).toMatchObject([red, { name: "Idea", colourCode: "#6b7280" }]);
  for (const label of ["", "x".repeat(37), 1, { name: "A" }]) {
    const reply = await rest.post(path, { name: "B", labels: [label] });
    expect([label, reply.status]).toEqual([label, 400]);
  }
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
