import { describe, expect, test } from "vitest";
import { eventsIn } from "../access/membership.ts";
import { useApp } from "../../support/app.ts";
import { transactionsOf } from "../../support/rows.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  const card = await makeCard(workspace.admin, one, "Mover");
  await makeCard(workspace.admin, two, "There");
  const seen = (await eventsIn(app(), workspace.publicId)).length;
  const update = (body: object) => workspace.admin.rest.put(`/cards/${card}`, body);
  const since = async () => (await eventsIn(app(), workspace.publicId)).slice(seen);
  return { workspace, board, one, two, card, update, since };
}

describe("a change to a card", () => {
  test("of its position names the source and the target", async () => {
    const { board, one, two, card, update, since } = await scene();
    await update({ listPublicId: two });
    const boardPublicId = board.publicId;
    expect(await since()).toMatchObject([
      {
        type: "card.moved",
        cardPublicId: card,
        data: {
          card: { publicId: card, title: "Mover" },
          list: { publicId: two, name: "Two" },
          board: { publicId: boardPublicId },
          from: { listPublicId: one, boardPublicId },
          to: { listPublicId: two, boardPublicId, index: 1 },
        },
      },
    ]);
  });

  test("of text and position writes one event for each, the text first", async () => {
    const { two, update, since } = await scene();
    await update({ title: "Moved", dueDate: "2027-01-01T00:00:00Z", listPublicId: two, index: 0 });
    const events = await since();
    expect(events.map(({ type }) => type)).toEqual(["card.updated", "card.moved"]);
    expect(events[0]?.changes).toEqual({
      title: { from: "Mover", to: "Moved" },
      dueDate: { from: null, to: "2027-01-01T00:00:00.000Z" },
    });
    expect(await transactionsOf(app(), events)).toHaveLength(1);
  });

  test("to its own position writes no event", async () => {
    const { one, update, since } = await scene();
    for (const body of [
      { index: 0 },
      { index: 5 },
      { listPublicId: one },
      { listPublicId: one, index: 0 },
    ]) {
      expect((await update(body)).status).toBe(200);
    }
    expect(await since()).toEqual([]);
  });

  test("of its state writes an event for each, and undoing completion writes an updated event", async () => {
    const { update, since } = await scene();
    await update({ isComplete: true, isArchived: true });
    await update({ isComplete: true });
    await update({ isComplete: false, isArchived: false });
    const events = await since();
    expect(events.map(({ type, changes }) => [type, changes])).toEqual([
      ["card.archived", { isArchived: { from: false, to: true } }],
      ["card.completed", { isComplete: { from: false, to: true } }],
      ["card.updated", { isComplete: { from: true, to: false } }],
      ["card.unarchived", { isArchived: { from: true, to: false } }],
    ]);
  });

  test("to another board creates the labels that it takes along before it moves the card", async () => {
    const { workspace, board, card, update, since } = await scene();
    await workspace.admin.rest.put(`/cards/${card}/labels/${board.labels[0]}`);
    const { body: other } = await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/boards`,
      {
        name: "Other",
        lists: ["There"],
      },
    );
    const reply = await update({ listPublicId: other.lists[0].publicId });
    const events = (await since()).slice(-2);
    expect(events.map(({ type }) => type)).toEqual(["label.created", "card.moved"]);
    const row = await app().db.reader.card.findUniqueOrThrow({ where: { publicId: card } });
    expect(reply.headers.get("etag")).toBe(`"${row.version}"`);
    expect(events[1]?.data).toMatchObject({ card: { version: row.version } });
  });
});
