import type { App } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

/** Two boards of one workspace: `here` with two lists, `there` with one. */
export async function start(app: App) {
  const workspace = await makeWorkspace(app);
  const here = await makeBoard(workspace, { lists: ["One", "Two"], labels: 0 });
  const there = await makeBoard(workspace, { lists: ["Three"], labels: 0 });
  const user = workspace.admin;
  const [one = "", two = ""] = here.lists;
  const [three = ""] = there.lists;
  return { workspace, user, here, there, one, two, three };
}
