import type { App } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

/** What somebody has been told, newest first. */
export async function told(user: As, query = ""): Promise<any[]> {
  const { body } = await user.rest.get(`/users/me/notifications${query}`);
  return body.items;
}

/** Somebody with a new token: the clock may have gone on for longer than the old one is good. */
export async function signedIn(app: App, { email }: { email: string }): Promise<As> {
  const body = { email, password: "a password for tests" };
  const reply = await app.call({ method: "POST", path: "/auth/login", body });
  return as(app, reply.body.accessToken);
}

/** The same in short: type, and event. */
export const heard = async (user: As) => (await told(user)).map(({ type, event }) => [type, event]);

/** A mention of a member. */
export const mention = ({ memberPublicId }: { memberPublicId: string }) =>
  `@[Somebody [QA]](${memberPublicId})`;

/** A workspace with Ann, its admin, with members Ben and Cleo, a board and a card. */
export async function makeTeam(app: App) {
  const workspace = await makeWorkspace(app);
  const [ben, cleo] = [await join(app, workspace, "member"), await join(app, workspace, "member")];
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const ann = workspace.admin;
  return { workspace, ann, ben, cleo, board, list, card: await makeCard(ann, list) };
}

/** Has somebody hear of a card's changes, or not any more. */
export const watch = (user: As, card: string, watching = true) =>
  user.rest.put(`/cards/${card}/watch`, { watching });

/** Puts a member on a card. */
export const assign = (by: As, card: string, { memberPublicId }: { memberPublicId: string }) =>
  by.rest.put(`/cards/${card}/members/${memberPublicId}`);
