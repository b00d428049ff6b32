import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function cardWithRelations() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace, { labels: 2 });
  const member = await join(app(), workspace, "member");
  const { body: card } = await admin.rest.post("/cards", {
    title: "Original",
    description: "Text",
    dueDate: "2026-12-24T10:00:00Z",
    listPublicId: board.lists[0],
    labelPublicIds: board.labels,
    memberPublicIds: [member.memberPublicId],
    checklists: [
      { name: "One", items: ["a", "b"] },
      { name: "Two", items: ["c"] },
    ],
  });
  await admin.rest.post(`/cards/${card.publicId}/comments`, { comment: "Said" });
  return { workspace, admin, board, member, card };
}

test("card.duplicate copies the selected relations, with a new number, at the end of the list", async () => {
  const { workspace, admin, board, card } = await cardWithRelations();
  await makeCard(admin, board.lists[0] ?? "");
  const before = (await eventsIn(app(), workspace.publicId)).length;
  const { status, body } = await admin.rest.post(`/cards/${card.publicId}/duplicate`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    title: "Original",
    description: "Text",
    dueDate: "2026-12-24T10:00:00.000Z",
    index: 2,
    cardNumber: `${workspace.cardPrefix}-3`,
    labels: card.labels,
    members: [],
    commentCount: 0,
    version: 1,
  });
  const named = (lists: { name: string; items: { title: string }[] }[]) =>
    lists.map(({ name, items }) => [name, items.map(({ title }) => title)]);
  expect(named(body.checklists)).toEqual(named(card.checklists));
  expect(body.checklists[0].publicId).not.toBe(card.checklists[0].publicId);
  const events = (await eventsIn(app(), workspace.publicId)).slice(before);
  expect(events.map(({ type }) => type)).toEqual(["card.created"]);

  const all = await admin.trpc.card.duplicate.mutate({
    cardPublicId: card.publicId,
    title: "Copy",
    withChecklists: false,
    withLabels: false,
    withMembers: true,
    withComments: true,
  });
  expect(all).toMatchObject({
    title: "Copy",
    labels: [],
    checklists: [],
    members: card.members,
    commentCount: 1,
  });
  expect((await admin.rest.get(`/cards/${card.publicId}`)).body).toMatchObject({
    title: "Original",
    version: 2,
  });
});

test("card.duplicate to another board gets that board's labels, made when they are missing", async () => {
  const { workspace, admin, card } = await cardWithRelations();
  const there = await makeBoard(workspace, { labels: 1 });
  const [target] = there.lists;
  const path = `/cards/${card.publicId}/duplicate`;
  const { body } = await admin.rest.post(path, { listPublicId: target });
  expect(body.boardPublicId).toBe(there.publicId);
  expect(body.labels.map(({ name }: { name: string }) => name)).toEqual(["Label 0", "Label 1"]);
  expect(body.labels[0].publicId).toBe(there.labels[0]);
  expect((await admin.rest.get(`/cards/${card.publicId}`)).body.labels).toEqual(card.labels);
});

test("card.duplicate refuses a list of another workspace, an unknown switch and a guest, and numbers each copy", async () => {
  const { workspace, admin, card } = await cardWithRelations();
  const foreign = await makeBoard(await makeWorkspace(app()));
  const path = `/cards/${card.publicId}/duplicate`;
  const guest = await join(app(), workspace, "guest");
  expect((await admin.rest.post(path, { listPublicId: foreign.lists[0] })).status).toBe(404);
  expect((await admin.rest.post(path, { withEverything: true })).status).toBe(400);
  expect((await guest.rest.post(path, {})).status).toBe(403);
  const copies = await Promise.all([1, 2, 3, 4, 5].map(() => admin.rest.post(path, {})));
  expect(new Set(copies.map(({ body }) => body.cardNumber)).size).toBe(5);
});
