import { expect, test } from "vitest";
import { expectFailure } from "../../contract/failure.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

type Any = any;

/** A board with a field, a label and three cards, one of them archived. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists: ["To do", "Doing"], labels: 1 });
  const path = `/boards/${board.publicId}`;
  const options = [{ name: "S" }, { name: "L" }];
  const size = (await rest.post(`${path}/fields`, { name: "Size", type: "multiSelect", options }))
    .body;
  const note = (await rest.post(`${path}/fields`, { name: "Note", type: "text" })).body;
  const [todo = "", doing = ""] = board.lists;
  const [label] = (await rest.get(path)).body.labels;
  const sizes = size.options.map(({ publicId }: { publicId: string }) => publicId);
  const card = async (title: string, listPublicId: string, more: object = {}) =>
    (await rest.post("/cards", { title, listPublicId, ...more })).body.publicId as string;
  await card("Both", todo, {
    fields: { [size.publicId]: sizes },
    labelPublicIds: [label.publicId],
  });
  await card("Plain", doing, { priority: "high" });
  const archived = await card("Archived", doing);
  await rest.put(`/cards/${archived}`, { isArchived: true });
  return { workspace, rest, path, size, note, label, todo, doing };
}

test("the cards of a board are counted by each field, without archived ones", async () => {
  const { rest, path, size, label, todo, doing } = await scene();
  const count = async (groupBy: string, query = "") => {
    const { status, body } = await rest.get(`${path}/groups?groupBy=${groupBy}${query}`);
    expect([status, body.isExact]).toEqual([200, true]);
    const groups = body.groups.map(({ key, count: found }: any) => [key, found]);
    return { groups, total: body.total };
  };
  const inBoth = [
    [todo, 1],
    [doing, 1],
  ];
  expect(await count("list")).toEqual({ groups: inBoth, total: 2 });
  expect(await count("label")).toEqual({
    groups: [
      [label.publicId, 1],
      ["none", 1],
    ],
    total: 2,
  });
  const { groups, total } = await count(`fields.${size.publicId}`);
  expect([groups.map(([, found]: [string, number]) => found), total]).toEqual([[1, 1, 1], 2]);
  expect(await count("list", `&lists=${todo}`)).toEqual({ groups: [[todo, 1]], total: 1 });
  expect(await count("list", "&priority=high")).toEqual({ groups: [[doing, 1]], total: 1 });
  const filter = encodeURIComponent('{"field":"title","op":"contains","value":"both"}');
  expect(await count("list", `&filter=${filter}`)).toEqual({ groups: [[todo, 1]], total: 1 });
  expect(await count("list", `&filter=${filter}&lists=${doing}`)).toEqual({ groups: [], total: 0 });
});

test("what cards cannot be grouped by is refused", async () => {
  const { workspace, rest, path, note } = await scene();
  const other = await makeBoard(workspace);
  const field = { name: "Size", type: "select", options: [{ name: "S" }] };
  const { body: elsewhere } = await rest.post(`/boards/${other.publicId}/fields`, field);
  const refused = ["title", `fields.${note.publicId}`, `fields.${elsewhere.publicId}`, ""];
  for (const groupBy of refused)
    expectFailure(await rest.get(`${path}/groups?groupBy=${groupBy}`), "BAD_REQUEST", [
      { path: ["groupBy"] },
    ]);
  expectFailure(await rest.get(`${path}/groups`), "BAD_REQUEST", [{ path: ["groupBy"] }]);
});

test("lists, labels and options of one name are one group by name, and nothing else is", async () => {
  const { rest, path, size, todo } = await scene();
  await rest.post("/lists", { boardPublicId: path.split("/").at(-1), name: "to DO" });
  const lists: Any[] = (await rest.get(path)).body.lists;
  const second = lists.find(({ name }) => name === "to DO");
  await rest.post("/cards", { title: "Third", listPublicId: second.publicId });
  const groups = async (query: string) => (await rest.get(`${path}/groups?${query}`)).body.groups;
  expect(await groups("groupBy=list")).toHaveLength(3);
  const named = await groups("groupBy=list&byName=true");
  expect(named).toMatchObject([
    { key: "name:To do", count: 2, boardPublicId: null },
    { key: "name:Doing", count: 1 },
  ]);
  expect(await groups(`groupBy=list&byName=false&lists=${todo}`)).toMatchObject([{ key: todo }]);
  expect(await groups("groupBy=label&byName=true")).toHaveLength(2);
  const sizes = await groups(`groupBy=fields.${size.publicId}&byName=true`);
  expect(sizes.map(({ key }: Any) => key)).toEqual(["name:S", "name:L", "none"]);
  for (const groupBy of ["member", "priority", "due", "parent"]) {
    const reply = await rest.get(`${path}/groups?groupBy=${groupBy}&byName=true`);
    expectFailure(reply, "BAD_REQUEST", [{ path: ["byName"] }]);
  }
});
