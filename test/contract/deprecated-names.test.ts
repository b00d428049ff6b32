import { expect, test } from "vitest";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";

const app = useApp();

test("an item is completed by either name of the field, and both are answered", async () => {
  const { admin, ...workspace } = await makeWorkspace(app());
  const board = await makeBoard({ admin, ...workspace });
  const card = await makeCard(admin, board.lists[0] ?? "");
  const made = await admin.rest.post(`/cards/${card}/checklists`, { name: "List", items: ["A"] });
  const path = `/checklists/items/${made.body.items[0].publicId}`;
  for (const [body, value] of [
    [{ isComplete: true }, true],
    [{ completed: false }, false],
    [{ isComplete: true, completed: true }, true],
  ] as const) {
    const { body: item } = await admin.rest.put(path, body);
    expect([item.isComplete, item.completed]).toEqual([value, value]);
  }
  const refused = await admin.rest.put(path, { isComplete: true, completed: false });
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: ["completed"] }] } });
});

type Node = Record<string, any>;
const { paths, components } = theDocument() as unknown as Node;
/** The bodies with a deprecated field, and the name that its description says to use. */
const renamed = routesOf(appRouter).flatMap((route) => {
  const operation: Node = paths[route.path]?.[route.method.toLowerCase()] ?? {};
  const schema: Node = operation["requestBody"]?.content["application/json"]?.schema ?? {};
  const body: Node = components.schemas[schema["$ref"]?.split("/").at(-1)] ?? schema;
  const ids = Object.fromEntries(
    (operation["parameters"] ?? [])
      .filter((one: Node) => one["in"] === "path")
      .map((one: Node) => [one["name"], one["example"]]),
  );
  return Object.entries<Node>(body["properties"] ?? {}).flatMap(([old, field]) => {
    const name = /^Use `(\w+)`/.exec(String(field["description"]))?.[1] ?? "";
    return field["deprecated"] === true ? [{ route, ids, old, name }] : [];
  });
});

test("no boolean has a second name, but a deprecated one", () => {
  const fields = Object.values<Node>(components.schemas).flatMap((schema) =>
    Object.entries<Node>(schema["properties"] ?? {}).filter(([, one]) => one["type"] === "boolean"),
  );
  const current = new Set(
    fields.flatMap(([name, one]) => (one["deprecated"] === true ? [] : [name])),
  );
  const long = (name: string) => `is${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  // `archived` selects cards: it includes those whose `isArchived` is true.
  current.delete("archived");
  expect([...current].filter((name) => current.has(long(name)))).toEqual([]);
  expect(current.size).toBeGreaterThan(20);
});

test("five bodies have a deprecated name", () => {
  expect(renamed.map(({ old, name }) => [old, name]).toSorted()).toEqual([
    ["active", "isActive"],
    ["completed", "isComplete"],
    ["favourite", "isFavourite"],
    ["read", "isRead"],
    ["watching", "isWatching"],
  ]);
});

test.each(renamed)("$route.operation takes $old or $name, and refuses two values", async (one) => {
  const { route, ids, old, name } = one;
  const read = (body: object) => route.schema.safeParseAsync({ ...ids, ...body });
  for (const body of [{ [old]: true }, { [name]: true }, { [old]: false, [name]: false }]) {
    expect(await read(body)).toMatchObject({ success: true });
  }
  const refused = await read({ [old]: true, [name]: false });
  expect(refused.error?.issues).toMatchObject([{ path: [old] }]);
});

test("a favourite, a watched card and a read notification have either name", async () => {
  const { admin, ...workspace } = await makeWorkspace(app());
  const board = await makeBoard({ admin, ...workspace });
  const card = await makeCard(admin, board.lists[0] ?? "");
  for (const [path, name, old] of [
    [`/boards/${board.publicId}/favourite`, "isFavourite", "favourite"],
    [`/cards/${card}/watch`, "isWatching", "watching"],
  ] as const) {
    for (const value of [true, false]) {
      for (const field of [name, old]) {
        const { body } = await admin.rest.put(path, { [field]: value });
        expect(body[name], `${field} ${value}`).toBe(value);
      }
    }
    const { status, body } = await admin.rest.put(path, {});
    expect([status, body.issues]).toMatchObject([400, [{ path: [name], code: "required" }]]);
  }
});

test("booleans of queries can be numbers, and an empty name is too small", async () => {
  const { admin } = await makeWorkspace(app());
  for (const [text, status] of [
    ["true", 200],
    ["True", 200],
    ["1", 200],
    ["0", 200],
    ["False", 200],
    ["yes", 400],
    ["2", 400],
  ] as const) {
    expect((await admin.rest.get(`/workspaces?deleted=${text}`)).status, text).toBe(status);
  }
  const { body } = await admin.rest.post("/workspaces", { name: " " });
  expect(body.issues).toMatchObject([{ path: ["name"], code: "too_small" }]);
  for (const [path, field, value, code] of [
    ["/users/me", "timeZone", "Mars/Base", "invalid_format"],
    ["/users/me", "timeZone", "+02:00", "invalid_format"],
  ] as const) {
    const { body: refused } = await admin.rest.put(path, { [field]: value });
    expect(refused.issues).toMatchObject([{ path: [field], code }]);
  }
});
