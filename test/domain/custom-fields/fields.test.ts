import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const path = `/boards/${board.publicId}/fields`;
  const add = async (body: object) => (await rest.post(path, body)).body;
  const names = async () => (await rest.get(path)).body.map(({ name }: { name: string }) => name);
  const events = (type: string) => eventsIn(app(), workspace.publicId, type);
  return { workspace, board, rest, path, add, names, events };
}

const sizes = { type: "select", options: [{ name: "S", colourCode: "#00ff00" }, { name: "M" }] };

test("field.create adds fields in order, or at an index, and shows them", async () => {
  const { rest, path, add, names, events, board } = await scene();
  const size = await add({ name: "Size", isShownOnCard: true, ...sizes });
  expect(size).toEqual({
    publicId: expect.any(String),
    boardPublicId: board.publicId,
    name: "Size",
    type: "select",
    options: [
      { publicId: expect.any(String), name: "S", colourCode: "#00ff00" },
      { publicId: expect.any(String), name: "M", colourCode: null },
    ],
    unit: null,
    isShownOnCard: true,
    index: 0,
    version: 1,
  });
  await add({ name: "Effort", type: "number", unit: "h" });
  expect(await add({ name: "First", type: "url", index: 0 })).toMatchObject({ index: 0 });
  expect(await names()).toEqual(["First", "Size", "Effort"]);
  expect((await rest.get(path)).body[1]).toEqual({ ...size, index: 1 });
  expect(await events("field.created")).toMatchObject([
    { data: { field: { name: "Size", version: 1 }, to: { index: 0 } } },
    { data: { field: { name: "Effort", unit: "h" }, to: { index: 1 } } },
    { data: { field: { name: "First" }, to: { index: 0 } } },
  ]);
});

test("field.create with a client's id is answered again, wherever the field is now", async () => {
  const { rest, path } = await scene();
  const body = { publicId: "abcdefghijk0", name: "Size", ...sizes };
  const first = await rest.post(path, body);
  await rest.put(`/fields/${first.body.publicId}`, { name: "Sizes" });
  expect((await rest.post(path, body)).body).toEqual({
    ...first.body,
    name: "Sizes",
    version: 2,
  });
});

test.each([
  ["options of a text", { type: "text", options: [] }, ["options"]],
  ["a unit of a date", { type: "date", unit: "d" }, ["unit"]],
  [
    "two options with one name",
    { type: "select", options: [{ name: "A" }, { name: "A" }] },
    ["options"],
  ],
  ["an unknown type", { type: "formula" }, ["type"]],
  [
    "101 options",
    { type: "select", options: Array.from({ length: 101 }, (_, n) => ({ name: `${n}` })) },
    ["options"],
  ],
  [
    "an option's id",
    { type: "select", options: [{ publicId: "abcdefghijkl", name: "A" }] },
    ["options", 0, "publicId"],
  ],
])("field.create refuses %s with 400", async (_, body, path) => {
  const { rest, path: to } = await scene();
  const refused = await rest.post(to, { name: "Size", ...body });
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path }] } });
});

test("field.update changes, moves, and says what changed; the same again changes nothing", async () => {
  const { rest, add, names, events } = await scene();
  const field = await add({ name: "Size", ...sizes });
  await add({ name: "Other", type: "text" });
  const [small, medium] = field.options;
  const change = {
    name: "Sizes",
    isShownOnCard: true,
    index: 1,
    options: [
      { publicId: medium.publicId, name: "Medium", colourCode: "#0000ff" },
      { name: "L" },
      { publicId: small.publicId, name: "S" },
    ],
  };
  const { body, headers: answered } = await rest.put(`/fields/${field.publicId}`, change);
  expect(body).toMatchObject({ name: "Sizes", isShownOnCard: true, index: 1, version: 2 });
  expect(body.options).toEqual([
    { publicId: medium.publicId, name: "Medium", colourCode: "#0000ff" },
    { publicId: expect.any(String), name: "L", colourCode: null },
    small,
  ]);
  expect(answered.get("etag")).toContain("2");
  expect(await names()).toEqual(["Other", "Sizes"]);
  const again = change.options.map((one, n) => ({ ...one, publicId: body.options[n].publicId }));
  const same = await rest.put(`/fields/${field.publicId}`, { ...change, options: again });
  expect(same.body).toEqual(body);
  expect(await events("field.updated")).toMatchObject([
    {
      data: { field: { name: "Sizes", version: 2 }, to: { index: 1 }, clearedCards: 0 },
      changes: {
        name: { from: "Size", to: "Sizes" },
        isShownOnCard: { from: false, to: true },
        index: { from: 0, to: 1 },
        options: { from: field.options, to: body.options },
      },
    },
  ]);
  const headers = { "If-Match": '"1"' };
  const stale = await rest.put(`/fields/${field.publicId}`, { name: "X" }, { headers });
  expect(stale.status).toBe(412);
});

test("an option that was left out comes back when its id is named again", async () => {
  const { rest, add } = await scene();
  const { publicId, options } = await add({ name: "Size", ...sizes });
  const [small, medium] = options;
  const put = async (...some: object[]) => rest.put(`/fields/${publicId}`, { options: some });
  expect((await put(medium)).body.options).toEqual([medium]);
  expect((await put(small, medium)).body.options).toEqual([small, medium]);
  const other = await add({ name: "Other", ...sizes });
  expect(await put(other.options[0])).toMatchObject({
    status: 400,
    body: { issues: [{ path: ["options", 0, "publicId"] }] },
  });
});

test("field.delete hides a field, and field.restore brings it back to its place", async () => {
  const { rest, add, names, events } = await scene();
  const { publicId } = await add({ name: "Size", ...sizes });
  await add({ name: "Other", type: "text" });
  expect((await rest.delete(`/fields/${publicId}`)).body).toEqual({ success: true });
  expect(await names()).toEqual(["Other"]);
  expect((await rest.put(`/fields/${publicId}`, { name: "X" })).status).toBe(404);
  const { body } = await rest.post(`/fields/${publicId}/restore`);
  expect(body).toMatchObject({ name: "Size", index: 0, version: 3, options: [{}, {}] });
  expect((await rest.post(`/fields/${publicId}/restore`)).body).toEqual(body);
  expect(await names()).toEqual(["Size", "Other"]);
  expect(await events("field.deleted")).toMatchObject([{ data: { clearedCards: 0 } }]);
  expect(await events("field.restored")).toMatchObject([{ data: { to: { index: 0 } } }]);
});

test("deleted fields and options are in the trash, for those who may see the board", async () => {
  const { rest, add, workspace: home, board } = await scene();
  const field = await add({ name: "Size", ...sizes });
  const [small, medium] = field.options;
  await rest.put(`/fields/${field.publicId}`, { options: [medium] });
  const reader = await join(app(), home, "guest");
  const trash = async (who = home.admin, query = "") =>
    (await who.rest.get(`/workspaces/${home.publicId}/trash${query}`)).body.items;
  const boardPublicId = board.publicId;
  const option = { type: "fieldOption", publicId: small.publicId, name: "S", boardPublicId };
  expect(await trash()).toMatchObject([{ ...option, fieldPublicId: field.publicId }]);
  app().advance(1_000);
  await rest.delete(`/fields/${field.publicId}`);
  const whole = { type: "field", publicId: field.publicId, name: "Size", boardPublicId };
  expect(await trash(reader)).toMatchObject([{ ...whole, fieldPublicId: null }, option]);
  expect(await trash(reader, "?type=field")).toMatchObject([whole]);
  await rest.put(`/boards/${boardPublicId}`, { visibility: "restricted" });
  expect(await trash(reader)).toEqual([]);
  await rest.post(`/fields/${field.publicId}/restore`);
  expect(await trash()).toMatchObject([option]);
  await rest.put(`/fields/${field.publicId}`, { options: [small, medium] });
  expect(await trash()).toEqual([]);
});

test("a board has at most 50 fields, also when many are added or restored at once", async () => {
  const { rest, path, names } = await scene();
  const add = (n: number) => rest.post(path, { name: `Field ${n}`, type: "text" });
  const first = await add(0);
  await rest.delete(`/fields/${first.body.publicId}`);
  for (let n = 1; n < 48; n++) await add(n);
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => add(n)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
    expect({ status, issues: body.issues }).toMatchObject({
      status: 409,
      issues: [{ code: "limit_exceeded", message: "A board has at most 50 custom fields." }],
    });
  }
  expect((await rest.post(`/fields/${first.body.publicId}/restore`)).status).toBe(409);
  expect(await names()).toHaveLength(50);
});
