import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function discussed() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { lists } = await makeBoard(workspace);
  const card = await makeCard(admin, lists[0] ?? "");
  return { workspace, admin, card, list: lists[0] ?? "", path: `/cards/${card}/comments` };
}

test("comments are listed oldest first, page by page, with their authors", async () => {
  const { admin, workspace, card, path } = await discussed();
  const member = await join(app(), workspace, "member");
  for (const comment of ["one", "two", "three"]) await member.rest.post(path, { comment });
  const first = await admin.rest.get(`${path}?limit=2`);
  const deleted = first.body.items[1].publicId;
  await admin.rest.delete(`${path}/${deleted}`);
  const cursor = first.body.nextCursor;
  const second = await admin.trpc.comment.list.query({ cardPublicId: card, cursor });
  const said = [...first.body.items, ...second.items].map(({ comment }) => comment);
  expect(said).toEqual(["one", "two", "three"]);
  expect(second).toMatchObject({
    items: [{ author: { publicId: member.memberPublicId, name: "A member" }, isEdited: false }],
    nextCursor: null,
  });
  await admin.rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`);
  const { body } = await admin.rest.get(path);
  expect(body.items[0]).toMatchObject({ comment: "one", author: null, authorName: "A member" });
});

test("comment.update emits the changes, and nothing without changes", async () => {
  const { admin, workspace, path } = await discussed();
  const { body: made } = await admin.rest.post(path, { comment: "Befor" });
  const put = (comment: string) => admin.rest.put(`${path}/${made.publicId}`, { comment });
  expect((await put("Before")).body).toMatchObject({
    comment: "Before",
    isEdited: true,
    version: 2,
  });
  expect((await put("Before")).body).toMatchObject({ version: 2 });
  const events = await eventsIn(app(), workspace.publicId, "comment.updated");
  expect(events).toMatchObject([{ changes: { comment: { from: "Befor", to: "Before" } } }]);
  expect((await put("")).status).toBe(400);
  expect((await put("x".repeat(20_001))).status).toBe(400);
});

test("only its author, or a holder of the permission, changes a comment, and only under its own card", async () => {
  const { admin, workspace, card, list, path } = await discussed();
  const author = await join(app(), workspace, "member");
  const other = await join(app(), workspace, "member");
  const { body: made } = await author.rest.post(path, { comment: "Mine" });
  const at = `${path}/${made.publicId}`;
  expect((await other.rest.put(at, { comment: "Hers" })).status).toBe(403);
  expect((await other.rest.delete(at)).status).toBe(403);
  expect((await author.rest.put(at, { comment: "Still mine" })).status).toBe(200);
  const wrong = await makeCard(admin, list);
  expect((await author.rest.delete(`/cards/${wrong}/comments/${made.publicId}`)).status).toBe(404);
  const ids = { cardPublicId: card, commentPublicId: made.publicId };
  expect(await admin.trpc.comment.delete.mutate(ids)).toEqual({ success: true });
  expect((await author.rest.put(at, { comment: "Gone" })).status).toBe(404);
  const [event] = await eventsIn(app(), workspace.publicId, "comment.deleted");
  expect(event).toMatchObject({ data: { comment: { authorName: "A member" } } });
  const guest = await join(app(), workspace, "guest");
  expect((await guest.rest.post(path, { comment: "Hi" })).status).toBe(403);
  expect((await guest.rest.get(path)).body.items).toEqual([]);
});
