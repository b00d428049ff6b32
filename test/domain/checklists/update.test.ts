import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function listed() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const card = await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  const lists = [];
  for (const name of ["One", "Two", "Three"]) {
    const { body } = await admin.rest.post(`/cards/${card}/checklists`, {
      name,
      items: ["a", "b"],
    });
    lists.push(body);
  }
  const changed = async () =>
    (await eventsIn(app(), workspace.publicId))
      .filter(({ type }) => /^checklist.*(updated|completed)$/.test(type))
      .map(({ type, changes }) => ({ type, changes }));
  return { workspace, admin, card, lists, changed };
}

test("checklist.update renames and moves a checklist, and emits nothing without changes", async () => {
  const { admin, card, lists, changed } = await listed();
  const path = `/checklists/${lists[0].publicId}`;
  const { body } = await admin.rest.put(path, { name: "First", index: 2 });
  expect(body).toMatchObject({ name: "First", version: 2, items: lists[0].items });
  const ids = { checklistPublicId: lists[0].publicId };
  expect(await admin.trpc.checklist.update.mutate({ ...ids, index: 9 })).toEqual(body);
  const { body: whole } = await admin.rest.get(`/cards/${card}`);
  const names = whole.checklists.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Two", "Three", "First"]);
  expect(await changed()).toMatchObject([
    {
      type: "checklist.updated",
      changes: { name: { from: "One", to: "First" }, index: { from: 0, to: 2 } },
    },
  ]);
  expect((await admin.rest.put(path, { name: "" })).status).toBe(400);
});

test("checklist.delete deletes the items", async () => {
  const { admin, card, lists } = await listed();
  const path = `/checklists/${lists[1].publicId}`;
  expect((await admin.rest.delete(path)).body).toEqual({ success: true });
  expect((await admin.rest.put(path, { name: "Gone" })).status).toBe(404);
  const item = `/checklists/items/${lists[1].items[0].publicId}`;
  expect((await admin.rest.put(item, { completed: true })).status).toBe(404);
  expect((await admin.rest.get(`/cards/${card}`)).body.checklists).toHaveLength(2);
});

test("checklist.updateItem changes the given fields, emits completion separately, and clears with null", async () => {
  const { workspace, admin, card, lists, changed } = await listed();
  const member = await join(app(), workspace, "member");
  const [item] = lists[0].items;
  const path = `/checklists/items/${item.publicId}`;
  const given = {
    title: "Done",
    completed: true,
    index: 1,
    memberPublicId: member.memberPublicId,
    dueDate: "2026-12-24T10:00:00.000Z",
  };
  const { status, body } = await admin.rest.put(path, given);
  const { index: _, ...shown } = given;
  expect({ status, body }).toMatchObject({ status: 200, body: { ...shown, version: 3 } });
  expect((await admin.rest.put(path, given)).body).toEqual(body);
  expect((await changed()).map(({ type }) => type)).toEqual([
    "checklist_item.updated",
    "checklist_item.completed",
  ]);
  const { body: whole } = await admin.rest.get(`/cards/${card}`);
  expect(body).toMatchObject({ ...whole.checklists[0].items[1], cardPublicId: card, index: 1 });
  const cleared = await admin.trpc.checklist.updateItem.mutate({
    checklistItemPublicId: item.publicId,
    completed: false,
    memberPublicId: null,
    dueDate: null,
  });
  expect(cleared).toMatchObject({ completed: false, memberPublicId: null, dueDate: null });
  expect((await changed()).slice(2)).toMatchObject([
    { type: "checklist_item.updated" },
    { type: "checklist_item.uncompleted", changes: { completed: { from: true, to: false } } },
  ]);
});

test("checklist.updateItem takes no member of another workspace and no bad date", async () => {
  const { admin, lists } = await listed();
  const stranger = await join(app(), await makeWorkspace(app()), "member");
  const put = async (body: object) =>
    (await admin.rest.put(`/checklists/items/${lists[0].items[0].publicId}`, body)).status;
  expect(await put({ memberPublicId: stranger.memberPublicId })).toBe(404);
  expect(await put({ dueDate: "tomorrow" })).toBe(400);
  expect(await put({ title: " " })).toBe(400);
});

test("a move emits the old and new index, also for an index past the end", async () => {
  const { admin, lists, changed } = await listed();
  await admin.rest.put(`/checklists/${lists[2].publicId}`, { index: 0 });
  await admin.rest.put(`/checklists/${lists[2].publicId}`, { index: 500 });
  const { body: item } = await admin.rest.post(`/checklists/${lists[0].publicId}/items`, {
    title: "Last",
  });
  await admin.rest.put(`/checklists/items/${item.publicId}`, { index: 0 });
  await admin.rest.put(`/checklists/items/${item.publicId}`, { index: 0, title: "Still first" });
  const last = lists[0].items.length;
  expect(await changed()).toEqual([
    { type: "checklist.updated", changes: { index: { from: 2, to: 0 } } },
    { type: "checklist.updated", changes: { index: { from: 0, to: 2 } } },
    { type: "checklist_item.updated", changes: { index: { from: last, to: 0 } } },
    { type: "checklist_item.updated", changes: { title: { from: "Last", to: "Still first" } } },
  ]);
});
