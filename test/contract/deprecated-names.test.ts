import { expect, test } from "vitest";
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
});
