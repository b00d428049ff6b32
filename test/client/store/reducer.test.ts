import { expect, test } from "vitest";
import { applyEvent } from "../../../src/client/store/reducer.ts";
import type { BoardEvent } from "../../../src/client/router.ts";
import type { BoardView } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard } from "../../support/make.ts";
import { connect, makeScene } from "./scene.ts";

const app = useApp();

test("a card shows the labels of the board, also after an event from before their change", async () => {
  const { admin, board: boardPublicId, cards, labels } = await makeScene(app());
  const { client } = connect(app, admin);
  const [cardPublicId = "", labelPublicId = ""] = [cards[0], labels[0]];
  await client.card.update({ cardPublicId, labelPublicIds: [labelPublicId] });
  const before = await client.card.get({ cardPublicId });
  const colourCode = "#112233";
  await client.label.update({ labelPublicId, name: "Renamed", colourCode });
  const board = await client.board.get({ boardPublicId });
  const event = {
    type: "card.updated",
    boardPublicId,
    data: { card: { ...before, version: before.version + 1 } },
  };
  const next = applyEvent(board, event as unknown as BoardEvent);
  if (typeof next === "string") throw new Error(`The event asks for "${next}".`);
  const shown = next.lists.flatMap((list) => list.cards);
  const card = shown.find(({ publicId }) => publicId === cardPublicId);
  expect(card?.version).toBe(before.version + 1);
  expect(card?.labels).toEqual([{ publicId: labelPublicId, name: "Renamed", colourCode }]);
});

test("a card that moves to another board shows the labels that the move creates there", async () => {
  const { workspace, admin, cards, labels } = await makeScene(app());
  const { client } = connect(app, admin);
  const there = await makeBoard(workspace);
  const [cardPublicId = "", labelPublicId = ""] = [cards[0], labels[0]];
  await client.card.update({ cardPublicId, labelPublicIds: [labelPublicId] });
  const { cursor, ...before } = await client.board.get({ boardPublicId: there.publicId });
  await client.card.update({ cardPublicId, listPublicId: there.lists[0] ?? "" });
  const feed = await client.workspace.events({ workspacePublicId: workspace.publicId, cursor });
  let board: BoardView = before;
  for (const event of feed.items) {
    const next = applyEvent(board, event);
    if (typeof next === "string") throw new Error(`The event asks for "${next}".`);
    board = next;
  }
  const { cursor: _, ...fresh } = await client.board.get({ boardPublicId: there.publicId });
  expect(fresh.labels).toHaveLength(1);
  expect(board).toEqual(fresh);
});
