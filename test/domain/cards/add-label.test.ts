import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { typesOn } from "./types-on.ts";

const app = useApp();

test("card.addLabel and card.removeLabel answer the card, and repeated they change nothing", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 2 });
  const { rest } = workspace.admin;
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const [labelPublicId = ""] = board.labels;
  for (const repeat of ["first", "again"]) {
    const added = await rest.post(`/cards/${card}/labels`, { labelPublicId });
    expect(added, repeat).toMatchObject({ status: 200, body: { index: 0 } });
    expect(added.body.labels).toMatchObject([{ publicId: labelPublicId }]);
    expect(added.body).toEqual((await rest.get(`/cards/${card}`)).body);
    expect(added.headers.get("etag")).toBe(`"${added.body.version}"`);
  }
  for (const repeat of ["first", "again"]) {
    const removed = await rest.delete(`/cards/${card}/labels/${labelPublicId}`);
    expect(removed, repeat).toMatchObject({ status: 200, body: { labels: [] } });
    expect(removed.body).toEqual((await rest.get(`/cards/${card}`)).body);
  }
  expect(await typesOn(app(), card)).toEqual([
    "card.created",
    "card.label_added",
    "card.label_removed",
  ]);
});

test("card.addLabel and card.removeLabel are 404 for a label of another board", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const card = await makeCard(workspace.admin, (await makeBoard(workspace)).lists[0] ?? "");
  const [labelPublicId] = (await makeBoard(workspace)).labels;
  expect((await rest.post(`/cards/${card}/labels`, { labelPublicId })).status).toBe(404);
  expect((await rest.delete(`/cards/${card}/labels/${labelPublicId}`)).status).toBe(404);
});

test("adding one label at the same time adds it once", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const [labelPublicId] = board.labels;
  const calls = Array.from({ length: 6 }, () =>
    workspace.admin.rest.post(`/cards/${card}/labels`, { labelPublicId }),
  );
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  expect(await typesOn(app(), card)).toEqual(["card.created", "card.label_added"]);
});
