import type { App } from "../support/app.ts";
import {
  join,
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type User,
  type Workspace,
} from "../support/make.ts";

/** One of everything that the sixteen operations are about, and the four kinds of callers. */
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

/** Makes a workspace with a member, a guest, and one of everything in it. */
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
  // From now on it is refused before anything is sent: no test of this suite leaves the machine.
  await app.db.transact((tx) =>
    tx.webhook.updateMany({
      where: { publicId: webhook.publicId },
      data: { url: "https://127.0.0.1/" },
    }),
  );
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

/** Adds a checklist with one item to a card; answers the item's public id. */
export async function makeItem(user: User, card: string, title = "An item"): Promise<string> {
  const { body } = await user.rest.post(`/cards/${card}/checklists`, {
    name: "A checklist",
    items: [title],
  });
  return body.items[0].publicId;
}

/** Ends a user's session; what they hold is a well-formed token that is not good any more. */
export async function revoked(app: App): Promise<User> {
  const user = await makeUser(app, "Gone");
  await user.rest.post("/auth/logout");
  return user;
}

/** An id that nothing has. */
export const unknownId = "zzzzzzzzzzzz";
