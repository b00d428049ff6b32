import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const add = async (type: string, more: object = {}, to = board.publicId) =>
    (await rest.post(`/boards/${to}/fields`, { name: type, type, ...more })).body;
  const set = (fields: unknown) => rest.put(`/cards/${card}`, { fields });
  const shown = async () => (await rest.get(`/cards/${card}`)).body.fields;
  const events = (type: string) => eventsIn(app(), workspace.publicId, type);
  return { workspace, rest, board, card, add, set, shown, events };
}

const options = [{ name: "S" }, { name: "M" }, { name: "L" }];

test("a value is shown, changed with from and to, and cleared by null", async () => {
  const { add, set, shown, events } = await scene();
  const { publicId } = await add("number");
  expect((await set({ [publicId]: 0.1 })).status).toBe(200);
  expect(await shown()).toEqual({ [publicId]: 0.1 });
  await set({ [publicId]: 0.1 });
  await set({ [publicId]: null });
  expect(await shown()).toEqual({});
  expect(await events("card.updated")).toMatchObject([
    { changes: { [`fields.${publicId}`]: { from: null, to: 0.1 } } },
    { changes: { [`fields.${publicId}`]: { from: 0.1, to: null } } },
  ]);
});

/** Values of every kind, each of which only some types take. */
const kinds = {
  number: 1,
  word: "javascript:x",
  boolean: true,
  ids: ["abcdefghijkl"],
  names: ["L"],
  list: [],
  empty: "",
};

test.each<[string, string, (keyof typeof kinds)[]]>([
  ["text", "a text of at most 1,000 characters", ["word", "empty"]],
  ["url", "an http or https URL", ["empty"]],
  ["number", "a number", ["number"]],
  ["date", "a date", ["number"]],
  ["checkbox", "true or false", ["boolean"]],
  ["select", "the id of one of its options", []],
  ["multiSelect", "a list of ids of its options", ["list"]],
  ["member", "the id of a member", []],
])("a %s field expects %s, and nothing else", async (type, expects, taken) => {
  const { add, set } = await scene();
  const { publicId } = await add(type, type.endsWith("elect") ? { options } : {});
  for (const [kind, value] of Object.entries(kinds)) {
    const { status, body } = await set({ [publicId]: value });
    if (taken.some((one) => one === kind)) expect([kind, status]).toEqual([kind, 200]);
    else {
      const message = expect.stringContaining(`"${type}" expects ${expects}`);
      expect([kind, status]).toEqual([kind, 400]);
      expect(body.issues).toMatchObject([{ path: ["fields", publicId], message }]);
    }
  }
});

test("a hostile map is refused: fields and options of others, members elsewhere, other keys", async () => {
  const { workspace, add, set, shown } = await scene();
  const there = await makeBoard(workspace);
  const own = await add("select", { options });
  const other = await add("multiSelect", { options });
  const foreign = await add("text", {}, there.publicId);
  const owner = await add("member");
  const stranger = await makeWorkspace(app());
  const outsider = await join(app(), stranger, "member");
  expect((await set({ [foreign.publicId]: "x" })).body).toMatchObject({
    code: "NOT_FOUND",
    issues: [{ code: "field_not_found", path: ["fields", foreign.publicId] }],
  });
  expect((await set({ [own.publicId]: other.options[0].publicId })).status).toBe(400);
  expect((await set({ [owner.publicId]: outsider.memberPublicId })).status).toBe(400);
  expect((await set(JSON.parse('{"__proto__": "x"}'))).status).toBe(400);
  expect((await set({ constructor: "x" })).status).toBe(404);
  const many = Array.from({ length: 10_000 }, (_, nth) => [`field${nth}`, "x"]);
  expect((await set(Object.fromEntries(many))).status).toBe(400);
  expect(await shown()).toEqual({});
});

test("a member who cannot see the board is refused, with the path of the field", async () => {
  const { workspace, rest, board, card, add, set } = await scene();
  const [own, theirs] = [await add("member"), await add("member")];
  const { memberPublicId } = await join(app(), workspace, "member");
  const { body } = await rest.get(`/workspaces/${workspace.publicId}`);
  await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const fields = { [own.publicId]: body.memberPublicId, [theirs.publicId]: memberPublicId };
  const many = { cardPublicIds: [card], set: { fields } };
  for (const [reply, path] of [
    [await set(fields), ["fields"]],
    [await rest.post(`/boards/${board.publicId}/cards/bulk`, many), ["set", "fields"]],
  ] as const) {
    const issues = [{ code: "member_without_access", path: [...path, theirs.publicId] }];
    expect(reply).toMatchObject({ status: 409, body: { issues } });
  }
});

test("a removed option and a deleted field hide their values, and come back with them", async () => {
  const { rest, add, set, shown, events } = await scene();
  const { publicId, options: all } = await add("multiSelect", { options });
  const ids = all.map((one: { publicId: string }) => one.publicId);
  await set({ [publicId]: ids.toReversed() });
  expect(await shown()).toEqual({ [publicId]: ids });
  await rest.put(`/fields/${publicId}`, { options: all.slice(0, 2) });
  expect(await shown()).toEqual({ [publicId]: ids.slice(0, 2) });
  await rest.put(`/fields/${publicId}`, { options: all });
  expect(await shown()).toEqual({ [publicId]: ids });
  await rest.delete(`/fields/${publicId}`);
  expect(await shown()).toEqual({});
  await rest.post(`/fields/${publicId}/restore`);
  expect(await shown()).toEqual({ [publicId]: ids });
  const counts = (await events("field.updated")).map(({ data }: any) => data.clearedCards);
  expect(counts).toEqual([1, 0]);
  expect(await events("field.deleted")).toMatchObject([{ data: { clearedCards: 1 } }]);
});

test("a card that moves to another board keeps what is there, and its event lists the rest", async () => {
  const { workspace, rest, card, add, set, shown, events } = await scene();
  const there = await makeBoard(workspace);
  const size = await add("select", { options });
  const tags = await add("multiSelect", { options });
  const text = await add("text");
  const target = await add("select", { options: options.slice(0, 1) }, there.publicId);
  await add("number", { name: "text" }, there.publicId);
  await set({
    [size.publicId]: size.options[0].publicId,
    [tags.publicId]: [tags.options[0].publicId, tags.options[2].publicId],
    [text.publicId]: "kept nowhere",
  });
  const droppedFields = [
    { name: "multiSelect", type: "multiSelect", value: ["S", "L"] },
    { name: "text", type: "text", value: "kept nowhere" },
  ];
  const input = { cardPublicId: card, listPublicId: there.lists[0] };
  const operations = [
    { operation: "card.update", input },
    { operation: "card.update", input: { cardPublicId: card, title: "Elsewhere" } },
  ];
  const path = `/workspaces/${workspace.publicId}/batch`;
  const { body: dry } = await rest.post(path, { operations, dryRun: true });
  expect(dry.results.map((result: any) => result.droppedFields)).toEqual([
    droppedFields.map((field) => ({ ...field, cardPublicId: card })),
    undefined,
  ]);
  await rest.put(`/cards/${card}`, { listPublicId: there.lists[0] });
  expect(await shown()).toEqual({ [target.publicId]: target.options[0].publicId });
  expect(await events("card.moved")).toMatchObject([{ data: { droppedFields } }]);
});

test("card.bulkUpdate gives many cards a value, each with its event", async () => {
  const { rest, board, card, workspace, add, shown, events } = await scene();
  const { publicId } = await add("date");
  const second = await makeCard(workspace.admin, board.lists[0] ?? "");
  const path = `/boards/${board.publicId}/cards/bulk`;
  const body = { cardPublicIds: [card, second], set: { fields: { [publicId]: "2026-02-27" } } };
  expect((await rest.post(path, body)).body).toEqual({ selected: 2, changed: 2 });
  expect((await rest.post(path, body)).body).toEqual({ selected: 2, changed: 0 });
  expect(await shown()).toEqual({ [publicId]: "2026-02-27" });
  expect(await events("card.updated")).toHaveLength(2);
});

test("a value that is written while its field is deleted is not left behind", async () => {
  const { rest, add, set, shown } = await scene();
  for (let nth = 0; nth < 5; nth++) {
    const { publicId } = await add("text", { name: `Race ${nth}` });
    const [written] = await Promise.all([
      set({ [publicId]: "x" }),
      rest.delete(`/fields/${publicId}`),
    ]);
    expect([200, 404]).toContain(written.status);
    expect(await shown()).toEqual({});
  }
});
