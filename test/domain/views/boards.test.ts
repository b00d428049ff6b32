import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
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

test("an API key that is bound to a board uses the views of this board alone", async () => {
  const { save, rest, one, two, card, names, titles, path, workspace } = await makeScene(app());
  const ofBoard = (board: { publicId: string }, name: string) =>
    save({ scope: "board", boardPublicId: board.publicId, name });
  const own = await ofBoard(one, "Of one");
  const others = [
    await ofBoard(two, "Of two"),
    await save({ scope: "workspace", name: "Ours" }),
    await save({ name: "Mine", boards: [one.publicId] }),
  ];
  await card(one.lists[0], "Shown");
  const { body } = await rest.post("/auth/api-keys", { name: "K", boardPublicId: one.publicId });
  const key = as(app(), body.key).rest;
  expect(await names(key)).toEqual(["Of one"]);
  expect(await titles(own, {}, key)).toEqual(["Shown"]);
  expect((await key.get(`/views/${own.publicId}/groups`)).body).toMatchObject({ total: 1 });
  for (const { publicId } of others) {
    for (const part of ["", "/cards", "/groups"]) {
      const { status } = await key.get(`/views/${publicId}${part}`);
      expect([part, status]).toEqual([part, 403]);
    }
    expect((await key.put(`/views/${publicId}`, { name: "X" })).status).toBe(403);
    expect((await key.delete(`/views/${publicId}`)).status).toBe(403);
  }
  expect((await key.post(path, { name: "New" })).status).toBe(403);
  const headers = { Authorization: `Bearer ${body.key}` };
  const url = `http://service/api/v1/workspaces/${workspace.publicId}/snapshot`;
  const lines = (await (await app().fetch(new Request(url, { headers }))).text())
    .trim()
    .split("\n");
  const views = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "view");
  expect(views).toMatchObject([{ publicId: own.publicId }]);
  expect((await key.put(`/views/${own.publicId}`, { name: "Renamed" })).status).toBe(200);
  await key.delete(`/views/${own.publicId}`);
  expect((await key.get(`${path}?deleted=true`)).body).toMatchObject([{ name: "Renamed" }]);
  expect((await key.post(`/views/${own.publicId}/restore`)).status).toBe(200);
});
