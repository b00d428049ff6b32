import { expect, test } from "vitest";
import { openLock } from "../../kernel/events/open-lock.ts";
import { useApp } from "../../support/app.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("a batch does not lock a card of another workspace", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const other = await makeBoard(await makeWorkspace(app(), admin));
  const card = await makeCard(admin, other.lists[0] ?? "");
  const release = await openLock(app(), "cards", card);
  const operations = [
    { operation: "card.update", input: { cardPublicId: card, title: "New" } },
    { operation: "card.addLabel", input: { cardPublicId: card, labelPublicId: other.labels[0] } },
  ];
  for (const operation of operations) {
    const path = `/workspaces/${workspace.publicId}/batch`;
    const reply = await admin.rest.post(path, { operations: [operation] });
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ code: "other_workspace" }] } });
  }
  await release();
});

/** A card that a client has created, on a board that has moved to another workspace since. */
async function makeMoved() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [board, other] = [await makeBoard(workspace), await makeWorkspace(app(), admin)];
  const [first = "", second = ""] = board.lists;
  const card = { publicId: publicId(), title: "Mine", listPublicId: first };
  expect((await admin.rest.post("/cards", card)).status).toBe(200);
  const batch = (input: object) =>
    admin.rest.post(`/workspaces/${workspace.publicId}/batch`, {
      operations: [{ operation: "card.create", input }],
    });
  const move = async () => {
    const to = { workspacePublicId: other.publicId };
    expect((await admin.rest.post(`/boards/${board.publicId}/move`, to)).status).toBe(200);
  };
  return { admin, workspace, other, board, second, card, batch, move };
}

test("a create that is repeated in a batch answers what has moved to another workspace", async () => {
  const { other, card, batch, move } = await makeMoved();
  await move();
  const again = await batch(card);
  expect(again).toMatchObject({
    status: 200,
    body: {
      results: [{ output: { publicId: card.publicId, workspacePublicId: other.publicId } }],
    },
  });
});

test("a repeated create in a batch finds it after the list of the create was deleted too", async () => {
  const { admin, other, second, card, batch, move } = await makeMoved();
  await admin.rest.put(`/cards/${card.publicId}`, { listPublicId: second });
  await admin.rest.delete(`/lists/${card.listPublicId}`);
  await move();
  const again = await batch(card);
  expect(again).toMatchObject({
    status: 200,
    body: {
      results: [{ output: { publicId: card.publicId, workspacePublicId: other.publicId } }],
    },
  });
});

test("another create in a list of another workspace is refused", async () => {
  const { card, batch, move } = await makeMoved();
  await move();
  const reply = await batch({ ...card, publicId: publicId() });
  expect(reply).toMatchObject({ status: 400, body: { issues: [{ code: "other_workspace" }] } });
  const without = await batch({ title: "New", listPublicId: card.listPublicId });
  expect(without).toMatchObject({ status: 400, body: { issues: [{ code: "other_workspace" }] } });
});

test("a repeated create shows nothing of a workspace that its caller may not see", async () => {
  const { admin, workspace, other, card, move } = await makeMoved();
  const caller = await join(app(), workspace, "member");
  const theirs = { ...card, publicId: publicId() };
  expect((await caller.rest.post("/cards", theirs)).status).toBe(200);
  await move();
  const path = `/workspaces/${workspace.publicId}/batch`;
  const operations = [{ operation: "card.create", input: theirs }];
  const reply = await caller.rest.post(path, { operations });
  expect(reply.status).not.toBe(200);
  expect(JSON.stringify(reply.body)).not.toContain(other.publicId);
  expect((await admin.rest.get(`/cards/${theirs.publicId}`)).status).toBe(200);
});
