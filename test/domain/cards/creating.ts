import { expect } from "vitest";
import type { App } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

/** A board of two lists and two labels. */
export async function start(app: App) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 2 });
  const [list = "", other = ""] = board.lists;
  return { workspace, user: workspace.admin, board, list, other };
}

/** The titles in each list of a board, in their order. */
export const inList = async (user: As, boardPublicId: string) =>
  (await user.trpc.board.get.query({ boardPublicId })).lists.map(({ cards }) =>
    cards.map(({ title }) => title),
  );

/** Creates a card with checklists and expects all of them, in order. */
export async function expectChecklists(
  user: As,
  listPublicId: string,
  count: { checklists: number; items: number },
) {
  const items = Array.from({ length: count.items }, (_, n) => `${n}`);
  const checklists = Array.from({ length: count.checklists }, (_, n) => ({
    name: `List ${n}`,
    items,
  }));
  const card = { title: "Much", listPublicId, checklists };
  const { status, body } = await user.rest.post("/cards", card);
  expect(status).toBe(200);
  const read = (await user.rest.get(`/cards/${body.publicId}`)).body.checklists;
  expect(
    read.map((one: { name: string; items: { title: string }[] }) => ({
      name: one.name,
      items: one.items.map(({ title }) => title),
    })),
  ).toEqual(checklists);
}
