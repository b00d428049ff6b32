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
