import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  return { workspace, board, path: `/workspaces/${workspace.publicId}/batch` };
};

test("a stored answer hides the outputs that the caller may no longer read", async () => {
  const { workspace, board, path } = await start();
  const member = await join(app(), workspace, "member");
  const headers = { "Idempotency-Key": randomUUID() };
  const operations = [
    { operation: "card.create", input: { title: "Secret", listPublicId: board.lists[0] } },
  ];
  const first = await member.rest.post(path, { operations }, { headers });
  expect(first.body.results[0].output.title).toBe("Secret");
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const again = await member.rest.post(path, { operations }, { headers });
  expect(again).toMatchObject({ status: 200, body: { results: [{ output: null }] } });
});

test("a stored refusal names the index of its operation", async () => {
  const { workspace, board, path } = await start();
  const { rest } = workspace.admin;
  const headers = { "Idempotency-Key": randomUUID() };
  const [listPublicId] = board.lists;
  const operations = [
    { operation: "card.create", input: { title: "C", listPublicId } },
    { operation: "list.update", input: { listPublicId, name: "L" }, ifVersion: 7 },
  ];
  const first = await rest.post(path, { operations }, { headers });
  expect(first).toMatchObject({ status: 412, body: { failedAt: 1 } });
  const again = await rest.post(path, { operations }, { headers });
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect([again.status, again.body]).toEqual([first.status, first.body]);
});

test("batches in one HTTP batch of tRPC each run once and answer their versions", async () => {
  const { workspace, board } = await start();
  const { rest } = workspace.admin;
  const bodyOf = (listPublicId: string | undefined) => ({
    workspacePublicId: workspace.publicId,
    operations: [
      { operation: "list.update", input: { listPublicId, name: "New" } },
      { operation: "card.create", input: { title: "C", listPublicId } },
    ],
  });
  const [one, other] = board.lists;
  const send = () =>
    app().call({
      method: "POST",
      path: "/trpc/workspace.batch,workspace.batch?batch=1",
      body: { 0: bodyOf(one), 1: bodyOf(other) },
      token: workspace.admin.token,
      headers: { "Idempotency-Key": "two" },
    });
  const result = { result: { data: { results: [{ version: 2 }, { version: 1 }] } } };
  const first = await send();
  expect(first).toMatchObject({ status: 200, body: [result, result] });
  expect((await send()).body).toEqual(first.body);
  const { lists } = (await rest.get(`/boards/${board.publicId}`)).body;
  const counts = lists.map(({ cards }: { cards: unknown[] }) => cards.length);
  expect(counts.slice(0, 2)).toEqual([1, 1]);
});
