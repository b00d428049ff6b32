import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { connect } from "./connect.ts";

const app = useApp();

/** A board with cards in two lists, some with a label or the caller as their member. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest, token } = workspace.admin;
  const board = await makeBoard(workspace, { lists: ["To do", "Doing"], labels: 1 });
  const { body: field } = await rest.post(`/boards/${board.publicId}/fields`, {
    name: "Size",
    type: "select",
    options: [{ name: "S" }, { name: "L" }],
  });
  const tools = await connect(app(), token);
  const fields = { [field.publicId]: field.options[1].publicId };
  const [label = ""] = (await rest.get(`/boards/${board.publicId}`)).body.labels;
  const [todo = "", doing = ""] = board.lists;
  const card = async (title: string, listPublicId: string, more: object = {}) =>
    (await rest.post("/cards", { title, listPublicId, ...more })).body.cardNumber as string;
  const first = await card("First", todo, { labelPublicIds: [label.publicId] });
  const second = await card("Second", todo, { fields });
  const third = await card("Third", doing, { priority: "high" });
  await tools.call("card_update", { card: first, addMembers: ["me"] });
  return { ...tools, rest, board, label, first, second, third };
}

test("lists of cards show who has claimed them, until the claim expires", async () => {
  const { call, first } = await scene();
  await call("card_claim", { card: first, minutes: 3 });
  const claimed = /claimed by "Admin" until \d{4}-/;
  const lineOf = async (tool: string, args: Record<string, unknown> = {}) =>
    (await call(tool, args)).split("\n").find((line) => line.includes(`"First"`));
  for (const tool of ["card_mine", "card_list", "board_get"])
    expect(await lineOf(tool), tool).toMatch(claimed);
  expect(await call("card_get", { card: first })).toMatch(claimed);
  const mine = { filter: { field: "claim", op: "is", value: "me" } };
  expect(await lineOf("card_list", mine)).toMatch(claimed);
  app().advance(4 * 60_000);
  for (const tool of ["card_mine", "card_list", "board_get"])
    expect(await lineOf(tool), tool).not.toContain("claimed");
  expect(await call("card_get", { card: first })).not.toContain("claimed");
});

test("claiming what is claimed says whose it is", async () => {
  const { call, fail, second } = await scene();
  await call("card_claim", { card: second });
  expect(await fail("card_claim", { card: second })).toContain(
    `You have claimed ${second} already`,
  );
});

test("card_next takes a filter by names", async () => {
  const { call, second, third } = await scene();
  const filter = { and: [{ field: "fields.Size", op: "is", value: "L" }] };
  expect(await call("card_next", { filter })).toContain(`Claimed ${second} `);
  const inDoing = JSON.stringify({ field: "list", op: "is", value: "doing" });
  expect(await call("card_next", { filter: inDoing })).toContain(`Claimed ${third} `);
  expect(await call("card_next", { filter: inDoing })).toContain("No card is ready.");
});

test("filters name lists and boards as tools do", async () => {
  const { call, fail, board } = await scene();
  const found = async (filter: object) =>
    [...(await call("card_list", { filter })).matchAll(/^- \S+ "(\w+)"/gm)].map(
      ([, title]) => title,
    );
  const name = (await call("board_get")).split("\n")[1]?.match(/"([^"]+)"/)?.[1];
  expect(await found({ field: "list", op: "is", value: "Doing" })).toEqual(["Third"]);
  expect(await found({ field: "board", op: "is", value: name })).toHaveLength(3);
  expect(await found({ field: "board", op: "isNot", value: board.publicId })).toEqual([]);
  expect(await found({ field: "label", op: "is", value: "Label 0" })).toEqual(["First"]);
  expect(await found({ field: "member", op: "is", value: "me" })).toEqual(["First"]);
  const wrong = await fail("card_list", { filter: { field: "column", op: "is", value: "x" } });
  expect(wrong).toContain("list");
  expect(wrong).not.toMatch(/listPublicId|boardPublicId/);
});

test("card_count counts by list, label, member, priority and custom field", async () => {
  const { call, fail, rest, board } = await scene();
  const count = async (args: object) =>
    (await call("card_count", { ...args })).split("\n").slice(1);
  expect(await count({})).toEqual([`- "To do": 2`, `- "Doing": 1`, "total: 3"]);
  expect(await count({ by: "label" })).toEqual([`- "Label 0": 1`, "- none: 2", "total: 3"]);
  expect(await count({ by: "member" })).toEqual([`- "Admin": 1`, "- none: 2", "total: 3"]);
  expect(await count({ by: "priority" })).toEqual(["- high: 1", "- none: 2", "total: 3"]);
  expect(await count({ by: "Size" })).toEqual([`- "L": 1`, "- none: 2", "total: 3"]);
  expect(await count({ list: "To do" })).toEqual([`- "To do": 2`, "total: 2"]);
  expect(await count({ member: "me", by: "label" })).toEqual([`- "Label 0": 1`, "total: 1"]);
  const filter = { field: "title", op: "contains", value: "third" };
  expect(await count({ filter })).toEqual([`- "Doing": 1`, "total: 1"]);
  expect(await fail("card_count", { by: "colour" })).toContain(`No field is called "colour"`);
  const { body: workspace } = await rest.get(`/boards/${board.publicId}`);
  await rest.post(`/workspaces/${workspace.workspacePublicId}/views`, {
    name: "Work",
    groupBy: { field: "priority" },
  });
  expect(await count({ view: "work" })).toEqual(["- high: 1", "- none: 2", "total: 3"]);
});
