import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("overrides and boards of an invited member stay when they join", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const home = `/workspaces/${workspace.publicId}`;
  const board = await makeBoard(workspace);
  await rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const user = await makeUser(app());
  const { body: invited } = await rest.post(`${home}/members/invite`, {
    email: user.email,
    role: "member",
  });
  const path = `${home}/members/${invited.publicId}/permissions`;
  expect((await rest.post(`${path}/grant`, { permission: "board:edit" })).status).toBe(200);
  expect((await rest.post(`${path}/revoke`, { permission: "card:delete" })).status).toBe(200);
  const onBoard = `/boards/${board.publicId}/members/${invited.publicId}`;
  expect((await rest.put(onBoard)).status).toBe(200);

  const { body: link } = await rest.post(`${home}/invites`, { role: "member" });
  const joined = await user.rest.post("/invites/accept", { inviteCode: link.inviteCode });
  expect(joined).toMatchObject({ status: 200, body: { memberPublicId: invited.publicId } });
  const { permissions } = (await user.rest.get(home)).body;
  expect(permissions).toContain("board:edit");
  expect(permissions).not.toContain("card:delete");
  expect((await user.rest.get(`/boards/${board.publicId}`)).status).toBe(200);
});
