import type { App } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

/** A client with a user's API key. */
export const keyOf = async (app: App, owner: As, bounds: object = {}) =>
  as(
    app,
    (
      await owner.rest.post("/auth/api-keys", {
        password: "a password for tests",
        name: "key",
        ...bounds,
      })
    ).body.key as string,
  );

/** A board with a list, a member of the workspace, and a user's attempt to add a card. */
export async function scene(app: App) {
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const member = await join(app, workspace, "member");
  const addCard = async (who: As) =>
    (await who.rest.post("/cards", { title: "Card", listPublicId: list })).status;
  return { workspace, board, list, member, addCard };
}
