import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { hintsOf, operationOf } from "../../../src/api/mcp/tool.ts";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { connect } from "./connect.ts";

const app = useApp();
const tools = toolsOf(appRouter);

test("all definitions together have at most 6,250 tokens", async () => {
  const { token } = await makeUser(app());
  const { list } = await connect(app(), token);
  const listed = JSON.stringify(await list());
  expect(countTokens(listed)).toBeLessThanOrEqual(6_250);
  expect(countCl100k(listed)).toBeLessThanOrEqual(6_250);
});

test("the tools have names of nouns and verbs, and always the same order", async () => {
  const { token } = await makeUser(app());
  const { list } = await connect(app(), token);
  const names = (await list()).map(({ name }) => name);
  expect(names).toEqual(tools.map(({ name }) => name));
  expect(names.filter((name) => !/^[a-z]+_[a-z]+$/.test(name))).toEqual([]);
  expect(names).toMatchInlineSnapshot(`
    [
      "workspace_list",
      "board_list",
      "board_get",
      "card_list",
      "card_count",
      "card_get",
      "card_search",
      "card_mine",
      "view_list",
      "member_list",
      "change_list",
      "card_create",
      "card_update",
      "card_move",
      "card_archive",
      "card_relate",
      "checklist_create",
      "item_create",
      "item_update",
      "link_create",
      "comment_create",
      "comment_update",
      "card_next",
      "card_claim",
      "board_create",
      "board_update",
      "list_create",
      "list_update",
      "label_create",
      "label_update",
      "batch_run",
    ]
  `);
});

test("each tool has a title, a description and inputs that stand alone", async () => {
  const { token } = await makeUser(app());
  const { list } = await connect(app(), token);
  for (const { name, title, description, inputSchema, annotations } of await list()) {
    expect(title.length, name).toBeGreaterThan(3);
    expect(description, name).toMatch(/^[A-Z].{20,}\.$/);
    expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(inputSchema), name).not.toContain("$ref");
    expect(annotations, name).toMatchObject({ title, openWorldHint: false });
  }
});

test("hints derive from the rules of the operations", () => {
  const hints = new Map(tools.map((tool) => [tool.name, hintsOf(tool)]));
  const named = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint") =>
    [...hints].flatMap(([name, of]) => (of[hint] ? [name] : []));
  const reading = tools.filter(({ group }) => group === "read").map(({ name }) => name);
  expect(named("readOnlyHint")).toEqual(reading);
  // Nothing deletes: cards, lists and boards are archived.
  expect(named("destructiveHint")).toEqual([]);
  expect(tools.map(({ name }) => name).filter((name) => !hints.get(name)?.idempotentHint)).toEqual(
    tools
      .map(({ name }) => name)
      .filter((name) => /_create$|^card_(?:next|claim)$|^batch_run$/.test(name)),
  );
  const deleting = tools.flatMap(({ procedures }) => procedures.map(operationOf));
  expect(deleting.filter((operation) => /delete/i.test(operation))).toEqual([]);
});

test("?tools= chooses groups, and refuses others", async () => {
  const { token } = await makeUser(app());
  const { list } = await connect(app(), token, { path: "/mcp?tools=read,boards" });
  const expected = tools.filter(({ group }) => group === "read" || group === "boards");
  expect((await list()).map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
  const request = new Request("http://localhost/mcp?tools=admin", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
  });
  const response = await app().fetch(request);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("read,cards,boards,batch");
});
