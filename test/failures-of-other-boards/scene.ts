import { cardIdsByList } from "../property/invariants.ts";
import type { App } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { findEvents } from "../support/events.ts";

/**
 * A board of two lists, the first of which has some cards; `cardsByList` reads the order of a
 * board.
 */
export async function start(app: App, cards = 0) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 1 });
  const [one = "", two = ""] = board.lists;
  const user = workspace.admin;
  const ids: string[] = [];
  for (let n = 0; n < cards; n++) ids.push(await makeCard(user, one));
  const cardsByList = async (id = board.publicId) =>
    cardIdsByList((await user.rest.get(`/boards/${id}`)).body);
  return { workspace, board, user, one, two, ids, cardsByList };
}

/** The events of a card, in their order. */
export const eventsOf = (app: App, cardPublicId: string) =>
  findEvents(app, { where: { cardPublicId }, orderBy: { id: "asc" } });
