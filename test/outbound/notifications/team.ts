import type { App } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

/** The notifications of a user, newest first. */
export async function notificationsOf(user: As, query = ""): Promise<any[]> {
  const { body } = await user.rest.get(`/users/me/notifications${query}`);
  return body.items;
}

/** The type and event of each notification of a user. */
export const typesOf = async (user: As) =>
  (await notificationsOf(user)).map(({ type, event }) => [type, event]);

/** A mention of a member. */
export const mention = ({ memberPublicId }: { memberPublicId: string }) =>
  `@[A member [QA]](${memberPublicId})`;

/** A workspace with Ann, its admin, with members Ben and Cleo, a board and a card. */
export async function makeTeam(app: App) {
  const workspace = await makeWorkspace(app);
  const [ben, cleo] = [await join(app, workspace, "member"), await join(app, workspace, "member")];
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const ann = workspace.admin;
  return { workspace, ann, ben, cleo, board, list, card: await makeCard(ann, list) };
}

/** Sets whether a user watches a card. */
export const watch = (user: As, card: string, watching = true) =>
  user.rest.put(`/cards/${card}/watch`, { watching });

/** Assigns a member to a card. */
export const assign = (by: As, card: string, { memberPublicId }: { memberPublicId: string }) =>
  by.rest.put(`/cards/${card}/members/${memberPublicId}`);
