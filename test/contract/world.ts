import type { App } from "../support/app.ts";
import { redirectWebhook } from "../support/state.ts";
import {
  join,
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type User,
  type Workspace,
} from "../support/make.ts";

/** One resource of each kind for the 16 operations, and four callers. */
export type World = {
  app: App;
  workspace: Workspace;
  admin: User;
  member: User & { memberPublicId: string };
  guest: User & { memberPublicId: string };
  stranger: User;
  board: string;
  list: string;
  card: string;
  label: string;
  item: string;
  webhook: string;
};

/** Creates a workspace with members and one resource of each kind. */
export async function makeWorld(app: App): Promise<World> {
  const workspace = await makeWorkspace(app);
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const [label = ""] = board.labels;
  const card = await makeCard(admin, list);
  const item = await makeItem(admin, card);
  const { body: webhook } = await admin.rest.post(`/workspaces/${publicId}/webhooks`, {
    name: "Nowhere",
    url: "https://93.184.215.14/",
    events: ["*"],
  });
  // From now on http is rejected: no request of the suite leaves the machine.
  await redirectWebhook(app, webhook.publicId, "https://127.0.0.1/");
  return {
    app,
    workspace,
    admin,
    member: await join(app, workspace, "member"),
    guest: await join(app, workspace, "guest"),
    stranger: await makeUser(app, "Stranger"),
    board: board.publicId,
    list,
    card,
    label,
    item,
    webhook: webhook.publicId,
  };
}

/** Adds a checklist with one item and returns the item's id. */
export async function makeItem(user: User, card: string, title = "An item"): Promise<string> {
  const { body } = await user.rest.post(`/cards/${card}/checklists`, {
    name: "A checklist",
    items: [title],
  });
  return body.items[0].publicId;
}

/** Revokes a user's session: their token is well-formed but invalid. */
export async function revoked(app: App): Promise<User> {
  const user = await makeUser(app, "Gone");
  await user.rest.post("/auth/logout");
  return user;
}

/** An unknown id. */
export const unknownId = "zzzzzzzzzzzz";
