import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { makeScene } from "./scene.ts";

const app = useApp();

test("the views of a board move with it, and those of its old workspace lose it", async () => {
  const { save, rest, one, card, names, workspace, titles } = await makeScene(app());
  const other = await makeWorkspace(app(), workspace.admin);
  await card(one.lists[0], "Moved", { labelPublicIds: [one.labels[0]] });
  const filter = { field: "labels", op: "is", value: one.labels[0] };
  const view = await save({ scope: "board", boardPublicId: one.publicId, name: "Moves", filter });
  const stays = await save({ scope: "workspace", boards: [one.publicId], name: "Stays" });
  const target = { workspacePublicId: other.publicId };
  expect((await rest.post(`/boards/${one.publicId}/move`, target)).status).toBe(200);
  expect(await names()).toEqual(["Stays"]);
  expect(await titles(stays)).toEqual([]);
  const { body } = await rest.get(`/views/${view.publicId}`);
  expect(body).toMatchObject({ workspacePublicId: other.publicId, isBroken: false });
  expect(await titles(view)).toEqual(["Moved"]);
});

test("the views of a board go and come back with it", async () => {
  const { save, rest, one, names } = await makeScene(app());
  const view = await save({ scope: "board", boardPublicId: one.publicId });
  await rest.delete(`/boards/${one.publicId}`);
  expect(await names()).toEqual([]);
  expect((await rest.get(`/views/${view.publicId}`)).status).toBe(404);
  await rest.post(`/boards/${one.publicId}/restore`);
  expect((await rest.get(`/views/${view.publicId}`)).status).toBe(200);
});

test("private views of a removed member come back with the member", async () => {
  const { save, rest, member, names, workspace } = await makeScene(app());
  const view = await save({ name: "Mine" }, member.rest);
  const path = `/workspaces/${workspace.publicId}`;
  await rest.delete(`${path}/members/${member.memberPublicId}`);
  expect((await member.rest.get(`/views/${view.publicId}`)).status).toBe(404);
  const { body: invite } = await rest.post(`${path}/invites`, { role: "member" });
  await member.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
  expect(await names(member.rest)).toEqual(["Mine"]);
});

test("private views are deleted with the account", async () => {
  const { save, member } = await makeScene(app());
  const { publicId } = await save({ name: "Mine" }, member.rest);
  const password = "a password for tests";
  expect((await member.rest.delete("/users/me", { password })).status).toBe(200);
  expect(await app().db.reader.view.count({ where: { publicId } })).toBe(0);
});

test("a batch can save a view of a board that it creates, and try it", async () => {
  const { rest, workspace, names } = await makeScene(app());
  const board = { workspacePublicId: workspace.publicId, publicId: "abcdefghijk1", name: "New" };
  const view = {
    workspacePublicId: workspace.publicId,
    name: "Of the new board",
    scope: "board",
    boardPublicId: "abcdefghijk1",
  };
  const operations = [
    { operation: "board.create", input: board },
    { operation: "view.create", input: view },
  ];
  const batch = `/workspaces/${workspace.publicId}/batch`;
  expect((await rest.post(batch, { operations, dryRun: true })).status).toBe(200);
  expect(await names()).toEqual([]);
  expect((await rest.post(batch, { operations })).status).toBe(200);
  expect(await names()).toEqual(["Of the new board"]);
});
