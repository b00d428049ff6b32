import { placesOf } from "../property/invariants.ts";
import type { App } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";

/** A board of two lists, the first of which has some cards; `places` reads the order of a board. */
export async function start(app: App, cards = 0) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 1 });
  const [one = "", two = ""] = board.lists;
  const user = workspace.admin;
  const ids: string[] = [];
  for (let n = 0; n < cards; n++) ids.push(await makeCard(user, one));
  const places = async (id = board.publicId) =>
    placesOf((await user.rest.get(`/boards/${id}`)).body);
  return { workspace, board, user, one, two, ids, places };
}

/** The events of a card, in their order. */
export const told = (app: App, cardPublicId: string) =>
  app.db.reader.event.findMany({ where: { cardPublicId }, orderBy: { id: "asc" } });
