import { expect, test } from "vitest";
import { resourceTree } from "../../../src/kernel/access/resources.ts";
import { useApp, type Reply } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { upload } from "../../domain/attachments/files.ts";
import { eventsIn } from "../access/membership.ts";
import { openLock, waitForLocks, waitsForLock } from "./open-lock.ts";

const app = useApp({ isolated: true });

type Change = { type: string; prepare: (card: string) => Promise<() => Promise<Reply>> };

/** A change of each kind of resource that a card has. */
const changesBy = (user: As, { rest } = user): Record<string, Change> => ({
  checklist: {
    type: "checklist.updated",
    async prepare(card) {
      const { body } = await rest.post(`/cards/${card}/checklists`, { name: "c" });
      return () => rest.put(`/checklists/${body.publicId}`, { name: "d" });
    },
  },
  checklistItem: {
    type: "checklist_item.updated",
    async prepare(card) {
      const { body } = await rest.post(`/cards/${card}/checklists`, { name: "c", items: ["i"] });
      return () => rest.put(`/checklists/items/${body.items[0].publicId}`, { title: "j" });
    },
  },
  comment: {
    type: "comment.updated",
    async prepare(card) {
      const { body } = await rest.post(`/cards/${card}/comments`, { comment: "c" });
      return () => rest.put(`/cards/${card}/comments/${body.publicId}`, { comment: "d" });
    },
  },
  attachment: {
    type: "attachment.deleted",
    async prepare(card) {
      const { body } = await upload(app(), user, card, "text");
      return () => rest.delete(`/attachments/${body.publicId}`);
    },
  },
});

/** Runs a change while a card moves: both wait for the card, the move first. */
async function whileMoving(user: As, card: string, list: string, change: () => Promise<Reply>) {
  const release = await openLock(app(), "cards", card);
  const moving = user.rest.put(`/cards/${card}`, { listPublicId: list });
  expect(await waitsForLock(app(), moving)).toBe(true);
  const changing = change();
  await waitForLocks(app(), 2);
  await release();
  expect((await moving).status).toBe(200);
  return changing;
}

test("changes on a card are published on the board to which it moves meanwhile", async () => {
  const workspace = await makeWorkspace(app());
  const [from, to] = [await makeBoard(workspace), await makeBoard(workspace)];
  const changes = changesBy(await join(app(), workspace, "admin"));
  const onCards = Object.entries(resourceTree)
    .filter(([kind, node]) => kind === "checklistItem" || ("up" in node && node.up[0] === "card"))
    .map(([kind]) => kind);
  expect(Object.keys(changes).toSorted()).toEqual(onCards.toSorted());
  for (const [kind, { type, prepare }] of Object.entries(changes)) {
    const card = await makeCard(workspace.admin, from.lists[0] ?? "");
    const change = await prepare(card);
    const changed = await whileMoving(workspace.admin, card, to.lists[0] ?? "", change);
    expect(changed.status, kind).toBe(200);
    const events = await eventsIn(app(), workspace.publicId, type);
    expect(events.at(-1), kind).toMatchObject({ cardPublicId: card, boardPublicId: to.publicId });
  }
});

test("a bulk change selects a card that moves to another list of the board meanwhile", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const other = await join(app(), workspace, "admin");
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const change = () =>
    other.rest.post(`/boards/${board.publicId}/cards/bulk`, {
      cardPublicIds: [card],
      set: { isComplete: true },
    });
  const changed = await whileMoving(workspace.admin, card, board.lists[1] ?? "", change);
  expect(changed).toMatchObject({ status: 200, body: { selected: 1, changed: 1 } });
});

test("an upload ends on the board to which its card moves meanwhile", async () => {
  const workspace = await makeWorkspace(app());
  const [from, to] = [await makeBoard(workspace), await makeBoard(workspace)];
  const other = await join(app(), workspace, "admin");
  const card = await makeCard(workspace.admin, from.lists[0] ?? "");
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("text"));
      end = () => controller.close();
    },
  });
  const uploading = upload(app(), other, card, body);
  await expect
    .poll(() => app().db.reader.attachment.count({ where: { status: "pending" } }))
    .toBe(1);
  const done = await whileMoving(workspace.admin, card, to.lists[0] ?? "", () => {
    end();
    return uploading;
  });
  expect(done.status).toBe(200);
  const events = await eventsIn(app(), workspace.publicId, "attachment.created");
  expect(events).toMatchObject([{ cardPublicId: card, boardPublicId: to.publicId }]);
});
