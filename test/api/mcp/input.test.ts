import { expect, test } from "vitest";
import { z } from "zod";
import { innerType } from "../../../src/api/by-schema.ts";
import { readArguments } from "../../../src/api/mcp/input.ts";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { connect } from "./connect.ts";
import { argumentsFor, secret, tenantOf } from "./tenant.ts";

const app = useApp();
const tools = toolsOf(appRouter);

const isOptional = (type: unknown) => (type as z.ZodType).safeParse(undefined).success;

/** A value of a type. */
function sampleOf(given: unknown): any {
  const type = innerType(given);
  if (type instanceof z.ZodEnum) return type.options[0];
  if (type instanceof z.ZodArray) return [sampleOf(type.element)];
  if (type instanceof z.ZodNumber) return 3;
  if (type instanceof z.ZodBoolean) return false;
  if (type instanceof z.ZodRecord) return { name: "text" };
  if (!(type instanceof z.ZodObject)) return "text";
  return Object.fromEntries(
    Object.entries(type.shape).map(([name, field]) => [name, sampleOf(field)]),
  );
}

const cases = tools.flatMap(({ name: tool, input }) =>
  Object.entries(input.shape).map(([name, type]) => ({ tool, input, name, type })),
);
/** The arguments that a tool needs. */
const required = (input: z.ZodObject) =>
  Object.fromEntries(
    Object.entries(input.shape).flatMap(([name, type]) =>
      isOptional(type) ? [] : [[name, sampleOf(type)]],
    ),
  );

test.each(cases.filter(({ type }) => isOptional(type)))(
  "null and an empty text are no argument: $tool $name",
  ({ input, name }) => {
    const without = readArguments(input, required(input));
    for (const absent of [null, ""])
      expect(readArguments(input, { ...required(input), [name]: absent })).toEqual(without);
  },
);

test.each(cases)("what is not text may be sent as text: $tool $name", ({ input, name, type }) => {
  const value = sampleOf(type);
  const typed = readArguments(input, { ...required(input), [name]: value });
  const text = typeof value === "string" ? value : JSON.stringify(value);
  expect(readArguments(input, { ...required(input), [name]: text })).toEqual(typed);
  expect(typed[name]).toEqual(value);
});

test.each(cases)("no null has a meaning of its own: $tool $name", ({ type }) => {
  expect((type as z.ZodType).safeParse(null).success).toBe(false);
});

test("all tools run with null for each argument that is not meant", async () => {
  const owned = await tenantOf(app());
  const { call } = await connect(app(), owned.workspace.admin.token);
  // So that it is found by its name again.
  const renamed = { board: owned.board.publicId, label: "Label 0", name: "Label 0" };
  const args: Record<string, object> = { ...argumentsFor(owned), label_update: renamed };
  for (const { name, input } of tools) {
    for (const absent of [null, ""]) {
      const blank = Object.keys(input.shape).flatMap((key) =>
        isOptional(input.shape[key]) ? [[key, absent]] : [],
      );
      const said = await call(name, { ...Object.fromEntries(blank), ...args[name] });
      expect(said, name).not.toBe("");
      if (name === "card_archive") await call(name, { card: owned.card, isArchived: "false" });
      if (name === "card_next") await call("card_claim", { card: owned.card, action: "release" });
      if (name === "card_claim") await call(name, { card: owned.card, action: "release" });
    }
  }
});

test("null keeps what a card has, and `clear` empties it", async () => {
  const owned = await tenantOf(app());
  const { rest } = owned.workspace.admin;
  const path = `/cards/${owned.card}`;
  const full = { description: "Kept", dueDate: "2031-01-01T00:00:00.000Z" };
  await rest.put(path, full);
  const { call, fail } = await connect(app(), owned.workspace.admin.token);
  const card = owned.number;
  await call("card_update", { card, title: "New", description: null, dueDate: null });
  expect((await rest.get(path)).body).toMatchObject({ title: "New", ...full });
  const both = { card, dueDate: "2032-01-01", clear: ["dueDate"] };
  expect(await fail("card_update", both)).toContain("dueDate has a value");
  await call("card_update", { card, clear: '["description","dueDate"]' });
  expect((await rest.get(path)).body).toMatchObject({ description: null, dueDate: null });
  const board = { board: owned.board.publicId };
  await call("board_update", { ...board, name: secret, description: null });
  const boardPath = `/boards/${owned.board.publicId}`;
  expect((await rest.get(boardPath)).body.description).toBe(secret);
  await call("board_update", { ...board, clear: ["description"] });
  expect((await rest.get(boardPath)).body.description).toBeNull();
  const item = { card, item: owned.item };
  await call("item_update", { ...item, member: "me", dueDate: "2031-01-01" });
  await call("item_update", { ...item, member: null, dueDate: null });
  const itemOf = async () => (await rest.get(path)).body.checklists[0].items[0];
  expect(await itemOf()).toMatchObject({ memberPublicId: owned.member });
  await call("item_update", { ...item, clear: ["member", "dueDate"] });
  expect(await itemOf()).toMatchObject({ memberPublicId: null, dueDate: null });
  await call("list_update", { list: owned.list, wipLimit: "3" });
  await call("list_update", { list: owned.list, wipLimit: null, name: secret });
  const listOf = async () => (await rest.get(`/lists/${owned.list}`)).body;
  expect(await listOf()).toMatchObject({ wipLimit: 3 });
  await call("list_update", { list: owned.list, clear: ["wipLimit"] });
  expect(await listOf()).toMatchObject({ wipLimit: null });
});

/** Sends a message as it is. */
async function send(token: string, message: object): Promise<any> {
  const response = await app().fetch(
    new Request("http://127.0.0.1:3000/mcp", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    }),
  );
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

test.each([null, "", "{}", {}])("arguments may be %j", async (given) => {
  const owned = await tenantOf(app());
  const { token } = owned.workspace.admin;
  const params = { name: "workspace_list", arguments: given, _meta: null };
  const { result } = await send(token, { method: "tools/call", params });
  expect(result.content[0].text).toContain(owned.workspace.publicId);
});

test.each([null, { cursor: null }, {}])("params may be %j", async (params) => {
  const { workspace } = await tenantOf(app());
  const { result } = await send(workspace.admin.token, { method: "tools/list", params });
  expect(result.tools).toHaveLength(tools.length);
});

test("a batch takes the arguments of its calls as the tools do", async () => {
  const owned = await tenantOf(app());
  const { call, fail } = await connect(app(), owned.workspace.admin.token);
  const calls = [
    { tool: "card_update", arguments: { card: owned.number, title: "B", description: null } },
    { tool: "card_update", arguments: `{"card":"${owned.number}","addLabels":"[\\"Label 0\\"]"}` },
  ];
  expect(await call("batch_run", { calls: JSON.stringify(calls) })).toContain("Ran:");
  const wrong = [calls[0], { tool: "label_create", arguments: { name: "A", colour: "blue" } }];
  const said = await fail("batch_run", { calls: wrong });
  expect(said).toContain("calls.1.arguments.colour: ");
  expect(said).not.toContain("colourCode");
});

test("errors name the tool's parameters, and say which there are", async () => {
  const owned = await tenantOf(app());
  const { fail } = await connect(app(), owned.workspace.admin.token);
  const board = { board: owned.board.publicId };
  const colour = await fail("label_create", { ...board, name: "A", colour: "blue" });
  expect(colour).toContain("\ncolour: ");
  expect(colour).not.toContain("colourCode");
  expect(await fail("card_list", { ...board, limit: 5 })).toMatch(
    /limit: Unknown field limit; this tool has board, list, label, /,
  );
  const nested = [{ name: "Steps", entries: [] }];
  const list = { list: owned.list, title: "A", checklists: nested };
  expect(await fail("card_create", list)).toContain("Unknown field entries; 0 has name, items");
  const unsafe = { board: '{"__proto__": 1}', filter: '{"__proto__": {"a": 1}}' };
  expect(await fail("card_list", unsafe)).toContain("__proto__");
});
