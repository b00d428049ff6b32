import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { connect } from "./connect.ts";

const app = useApp();

/** A board with a field of each kind that has names, and a card. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest, token } = workspace.admin;
  const board = await makeBoard(workspace, { labels: 1 });
  const add = async (field: object) =>
    (await rest.post(`/boards/${board.publicId}/fields`, { isShownOnCard: true, ...field })).body;
  const options = [{ name: "S" }, { name: "L" }];
  const size = await add({ name: "Size", type: "select", options });
  await add({ name: "Areas", type: "multiSelect", options: [{ name: "API" }, { name: "Docs" }] });
  await add({ name: "Effort", type: "number", unit: "h" });
  await add({ name: "Reviewer", type: "member" });
  await add({ name: "Customer", type: "text", isShownOnCard: false });
  await add({ name: "Seen", type: "date" });
  const [first = "", second = ""] = board.lists;
  const card = await makeCard(workspace.admin, first, "First");
  return { rest, board, size, card, first, second, ...(await connect(app(), token)) };
}

test("a board is shown with its fields and their options", async () => {
  const { call } = await scene();
  const shown = await call("board_get");
  expect(shown).toContain('field "Size": select; options "S", "L"\n');
  expect(shown).toContain('field "Effort": number; in "h"\n');
  expect(shown).toContain('field "Customer": text; only on card_get\n');
});

test("values are set and shown by the names of fields, options and members", async () => {
  const { call, rest, card } = await scene();
  const fields = {
    size: "L",
    Areas: ["Docs", "api"],
    Effort: 2.5,
    Reviewer: "me",
    Customer: "Ada",
    Seen: "2026-01-31",
  };
  await call("card_update", { card, fields });
  const { body } = await rest.get(`/cards/${card}`);
  expect(Object.values(body.fields)).toHaveLength(6);
  const whole = await call("card_get", { card });
  for (const line of [
    '"Size" "L"',
    '"Areas" "API", "Docs"',
    '"Effort" 2.5 "h"',
    '"Customer" "Ada"',
  ])
    expect(whole.split("\n")).toContain(line);
  expect(whole).toMatch(/^"Reviewer" "[^"]+"$/m);
  expect(whole).toContain('"Seen" 2026-01-31');
  for (const tool of ["card_list", "board_get"]) {
    const line = (await call(tool)).split("\n").find((one) => one.includes('"First"'));
    expect(line).toContain('; "Size" "L"; "Areas" "API", "Docs"; "Effort" 2.5 "h"');
    expect(line).not.toContain("Customer");
  }
  await call("card_update", { card, fields: { Size: null, Areas: "Docs" } });
  const { body: after } = await rest.get(`/cards/${card}`);
  expect(Object.values(after.fields)).toHaveLength(5);
  const created = await call("card_create", { list: "Doing", title: "New", fields: { Size: "S" } });
  expect(created).toContain("Created");
  expect(await call("card_list", { list: "Doing" })).toContain('"Size" "S"');
});

test("a wrong name lists the names, and a wrong value says what the field expects", async () => {
  const { fail, card, size } = await scene();
  const update = (fields: object) => fail("card_update", { card, fields });
  expect(await update({ Colour: "red" })).toMatch(/No field is called "Colour".*"Size".*"Areas"/);
  expect(await update({ Size: "XXL" })).toMatch(/No option is called "XXL".*"S".*"L"/);
  expect(await update({ Reviewer: "Nobody" })).toContain('No member is called "Nobody"');
  expect(await update({ Effort: "much" })).toContain('The field "Effort" expects a number');
  expect(await update({ [size.publicId]: 3 })).toContain('The field "Size" expects');
});

test("card_list takes a filter by names", async () => {
  const { call, fail, first, rest, board, card } = await scene();
  const other = await rest.post("/cards", { title: "Second", listPublicId: first });
  await call("card_update", { card, fields: { Size: "L", Reviewer: "me" } });
  await call("card_update", { card: other.body.cardNumber, fields: { Size: "S" } });
  const [label] = (await rest.get(`/boards/${board.publicId}`)).body.labels;
  await call("card_update", { card, addLabels: [label.name] });
  const found = async (filter: object) =>
    [...(await call("card_list", { filter })).matchAll(/^- \S+ "(\w+)"/gm)].map(
      ([, title]) => title,
    );
  expect(await found({ field: "fields.Size", op: "is", value: "L" })).toEqual(["First"]);
  expect(await found({ field: "fields.size", op: "isAnyOf", value: ["s", "L"] })).toHaveLength(2);
  expect(await found({ not: { field: "labels", op: "is", value: label.name } })).toEqual([
    "Second",
  ]);
  expect(
    await found({
      and: [
        { field: "fields.Reviewer", op: "is", value: "me" },
        { or: [{ field: "listPublicId", op: "is", value: "To do" }] },
        { field: "title", op: "contains", value: "fir" },
      ],
    }),
  ).toEqual(["First"]);
  expect(await found({ field: "members", op: "isEmpty" })).toHaveLength(2);
  expect(
    await fail("card_list", { filter: { and: [{ field: "fields.Size", op: "is", value: "M" }] } }),
  ).toContain('No option is called "M"');
  expect(
    await fail("card_list", { filter: { and: [{ field: "dueDate", op: "within", value: "x" }] } }),
  ).toContain("filter.and.0.value");
  expect(
    await fail("card_list", { filter: { or: [{ field: "fields.Effort", op: "is", value: "x" }] } }),
  ).toContain("filter.or.0.value");
  let deep: object = { field: "title", op: "isEmpty" };
  for (let nth = 0; nth < 50; nth++) deep = { not: deep };
  expect(await fail("card_list", { filter: deep })).toContain("nested");
});

test("a list that warns says so, and one that blocks may be overridden", async () => {
  const { call, fail, rest, second, card } = await scene();
  await call("card_create", { list: "Doing", title: "One" });
  await rest.put(`/lists/${second}`, { wipLimit: 1 });
  const said = await call("card_create", { list: "Doing", title: "Two" });
  expect(said).toContain('"Doing" now has 2 cards; its limit is 1.');
  await rest.put(`/lists/${second}`, { wipMode: "block" });
  const move = { card, list: "Doing" };
  expect(await fail("card_move", move)).toContain("limit");
  expect(await call("card_move", { ...move, override: true })).toContain("now has 3 cards");
  expect(await call("card_move", { ...move, position: "start" })).not.toContain("now has");
  await call("card_archive", { card });
  expect(await fail("card_archive", { card, isArchived: false })).toContain("limit");
  await call("card_archive", { card, isArchived: false, override: true });
  expect(await fail("card_create", { list: "Doing", title: "Four" })).toContain("limit");
  await call("batch_run", {
    calls: [
      { tool: "card_create", arguments: { list: "Doing", title: "Four", override: true } },
      { tool: "card_create", arguments: { list: "To do", title: "Five", fields: { Size: "S" } } },
    ],
  });
  await rest.put(`/lists/${second}`, { wipMode: "off" });
  expect(await call("card_create", { list: "Doing", title: "Six" })).not.toContain("now has");
});
