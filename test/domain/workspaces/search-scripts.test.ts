import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
const page = await readFile(new URL("../../../docs/search.md", import.meta.url), "utf8");
const row = /^\| [A-Z][a-z]+ +\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\|$/gm;
const examples = [...page.matchAll(row)].map(([, query = "", text = "", other = ""]) => ({
  query,
  text,
  other,
}));
let workspace: Workspace;

const found = async (query: string): Promise<string[]> => {
  const path = `/workspaces/${workspace.publicId}/search?query=${encodeURIComponent(query)}`;
  const { status, body } = await workspace.admin.rest.get(path);
  expect({ query, status }).toEqual({ query, status: 200 });
  return body.items.map((hit: { publicId: string }) => hit.publicId);
};

/** Makes what has a text: a board, a card by its title, one by its description, and a comment. */
async function write(text: string): Promise<string[]> {
  const { rest } = workspace.admin;
  const { publicId: board, lists } = await makeBoard(workspace);
  const [listPublicId = ""] = lists;
  await rest.put(`/boards/${board}`, { name: text });
  const titled = await makeCard(workspace.admin, listPublicId, text);
  const made = { listPublicId, title: "x", description: text };
  const described = (await rest.post("/cards", made)).body.publicId;
  const plain = await makeCard(workspace.admin, listPublicId, "x");
  const { body } = await rest.post(`/cards/${plain}/comments`, { comment: text });
  return [board, titled, described, body.publicId];
}

beforeAll(async () => {
  workspace = await makeWorkspace(app());
});

test("the docs have examples in more than six scripts", () => {
  expect(examples.length).toBeGreaterThan(15);
});

test.each(examples)("$query finds $text", async ({ query, text, other }) => {
  const expected = await write(text);
  await write(other);
  expect((await found(query)).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ["Провека", "Проверка"],
  ["Οδυσεας", "Οδυσσέας"],
  ["paymnet", "payment"],
])("the misspelled %s finds %s", async (query, text) => {
  const [board, titled] = await write(text);
  expect(await found(query)).toEqual(expect.arrayContaining([board, titled]));
});

test("a short word does not find another one", async () => {
  await write("Lampe");
  expect(await found("Öl")).toEqual([]);
});
