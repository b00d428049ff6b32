import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("an event of a comment shows all that the list of comments shows", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const path = `/cards/${await makeCard(workspace.admin, list)}/comments`;
  expect((await rest.post(path, { comment: "Text" })).status).toBe(200);
  const { items } = await follow(workspace.admin, workspace.publicId);
  const { body } = await rest.get(path);
  expect(items.at(-1).data.comment).toEqual(body.items[0]);
});
