import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openLock, waitsForLock } from "./open-lock.ts";

const app = useApp({ isolated: true });

async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  const card = await makeCard(workspace.admin, one, "A");
  return { workspace, rest, board: board.publicId, one, two, card };
}

type Scene = Awaited<ReturnType<typeof scene>>;
type Write = {
  /** What is done before the list or board is locked. */
  before?: (on: Scene) => Promise<unknown>;
  call: (on: Scene) => Promise<{ status: number }>;
};

const bulk = ({ rest, board, card }: Scene, set: object) =>
  rest.post(`/boards/${board}/cards/bulk`, { cardPublicIds: [card], set });
const archive = (isArchived: boolean) => (on: Scene) =>
  on.rest.put(`/cards/${on.card}`, { isArchived });
const remove = (on: Scene) => on.rest.delete(`/cards/${on.card}`);

/** The writes that change which live cards the list `one` has, or their order. */
const ofCards: Record<string, Write> = {
  "card.create": {
    call: ({ rest, one }) => rest.post("/cards", { title: "B", listPublicId: one }),
  },
  "card.update that archives": { call: archive(true) },
  "card.update that unarchives": { before: archive(true), call: archive(false) },
  "card.update within the list": {
    call: ({ rest, card }) => rest.put(`/cards/${card}`, { index: 0 }),
  },
  "card.update to another list": {
    call: ({ rest, card, two }) => rest.put(`/cards/${card}`, { listPublicId: two }),
  },
  "card.update from another list": {
    before: ({ rest, card, two }) => rest.put(`/cards/${card}`, { listPublicId: two }),
    call: ({ rest, card, one }) => rest.put(`/cards/${card}`, { listPublicId: one }),
  },
  "card.delete": { call: remove },
  "card.restore": { before: remove, call: ({ rest, card }) => rest.post(`/cards/${card}/restore`) },
  "card.duplicate": { call: ({ rest, card }) => rest.post(`/cards/${card}/duplicate`, {}) },
  "card.bulkUpdate that archives": { call: (on) => bulk(on, { isArchived: true }) },
  "card.bulkUpdate to another list": { call: (on) => bulk(on, { listPublicId: on.two }) },
  "workspace.batch": {
    call: ({ rest, workspace, card }) =>
      rest.post(`/workspaces/${workspace.publicId}/batch`, {
        operations: [{ operation: "card.delete", input: { cardPublicId: card } }],
      }),
  },
};

const archiveList = (isArchived: boolean) => (on: Scene) =>
  on.rest.put(`/lists/${on.one}`, { isArchived });
const removeList = ({ rest, one }: Scene) => rest.delete(`/lists/${one}`);

/** The writes that change which live lists the board has, or their order. */
const ofLists: Record<string, Write> = {
  "list.create": {
    call: ({ rest, board }) => rest.post("/lists", { name: "Three", boardPublicId: board }),
  },
  "list.update that archives": { call: archiveList(true) },
  "list.update that unarchives": { before: archiveList(true), call: archiveList(false) },
  "list.update that moves": { call: ({ rest, one }) => rest.put(`/lists/${one}`, { index: 1 }) },
  "list.delete": { call: removeList },
  "list.restore": {
    before: removeList,
    call: ({ rest, one }) => rest.post(`/lists/${one}/restore`),
  },
};

async function expectToWait(table: "lists" | "boards", { before, call }: Write) {
  const on = await scene();
  await before?.(on);
  const release = await openLock(app(), table, table === "lists" ? on.one : on.board);
  const response = call(on);
  expect(await waitsForLock(app(), response)).toBe(true);
  await release();
  expect((await response).status).toBe(200);
}

test.each(Object.entries(ofCards))("%s locks the list, so that indexes agree", (_, write) =>
  expectToWait("lists", write),
);

test.each(Object.entries(ofLists))("%s locks the board, so that indexes agree", (_, write) =>
  expectToWait("boards", write),
);

test("a change of a card that moves nothing does not wait for its list", async () => {
  const { rest, one, card } = await scene();
  const release = await openLock(app(), "lists", one);
  const response = rest.put(`/cards/${card}`, { title: "B" });
  expect(await waitsForLock(app(), response)).toBe(false);
  await release();
  expect((await response).status).toBe(200);
});
