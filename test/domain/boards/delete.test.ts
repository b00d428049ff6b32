import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { boardEvents, create } from "./making.ts";
import { insertBoards } from "./many.ts";

const app = useApp();

describe("board.delete and board.restore", () => {
  test("hide a board with its contents, and restore both", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace);
    const card = await makeCard(workspace.admin, board.lists[0] ?? "");
    const before = await readBoard(workspace.admin, board.publicId);
    expect((await rest.delete(`/boards/${board.publicId}`)).body).toEqual({ success: true });
    for (const path of [
      `/boards/${board.publicId}`,
      `/lists/${board.lists[0]}`,
      `/cards/${card}`,
      `/boards/${board.publicId}/cards`,
    ]) {
      expect((await rest.get(path)).status, path).toBe(404);
    }
    expect((await rest.delete(`/boards/${board.publicId}`)).status).toBe(404);
    expect((await rest.put(`/boards/${board.publicId}`, { name: "Never" })).status).toBe(404);
    const { status, body } = await rest.post(`/boards/${board.publicId}/restore`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, version: 3, updatedAt: body.updatedAt });
    expect((await rest.post(`/boards/${board.publicId}/restore`)).body).toEqual(body);
    const emitted = (await boardEvents(app(), workspace)).map(({ type, data }) => [
      type,
      data.board.version,
    ]);
    expect(emitted).toEqual([
      ["board.deleted", 2],
      ["board.restored", 3],
    ]);
  });

  test("give a board a suffix when its slug has been taken meanwhile", async () => {
    const workspace = await makeWorkspace(app());
    const old = await create(workspace, "Plan");
    await workspace.admin.rest.delete(`/boards/${old.publicId}`);
    expect((await create(workspace, "Plan")).slug).toBe("plan");
    const { body } = await workspace.admin.rest.post(`/boards/${old.publicId}/restore`);
    expect(body.slug).toMatch(/^plan-[a-z0-9]{6}$/);
  });

  test("restore nothing in a deleted workspace", async () => {
    const workspace = await makeWorkspace(app());
    const board = await create(workspace, "Board");
    await workspace.admin.rest.delete(`/boards/${board.publicId}`);
    await workspace.admin.rest.delete(`/workspaces/${workspace.publicId}`);
    expect((await workspace.admin.rest.post(`/boards/${board.publicId}/restore`)).status).toBe(409);
  });

  test("let their creator do both, and another member neither", async () => {
    const workspace = await makeWorkspace(app());
    const [maker, other] = [
      await join(app(), workspace, "member"),
      await join(app(), workspace, "member"),
    ];
    const { body } = await maker.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Mine",
    });
    expect((await other.rest.delete(`/boards/${body.publicId}`)).status).toBe(403);
    expect((await maker.rest.delete(`/boards/${body.publicId}`)).status).toBe(200);
    expect((await other.rest.post(`/boards/${body.publicId}/restore`)).status).toBe(403);
    expect((await maker.rest.post(`/boards/${body.publicId}/restore`)).status).toBe(200);
  });
});

test("a workspace has at most 1,000 boards, in all operations that add one", async () => {
  const workspace = await makeWorkspace(app());
  const elsewhere = await makeWorkspace(app(), workspace.admin);
  const gone = await create(workspace, "Gone");
  await workspace.admin.rest.delete(`/boards/${gone.publicId}`);
  await insertBoards(app(), workspace.publicId, 1_000);
  const full = {
    status: 409,
    body: {
      issues: [
        {
          message: "A workspace has at most 1000 boards, including archived ones.",
          code: "limit_exceeded",
        },
      ],
    },
  };
  const { rest } = workspace.admin;
  expect(
    await rest.post(`/workspaces/${workspace.publicId}/boards`, { name: "More" }),
  ).toMatchObject(full);
  expect(await rest.post(`/boards/${gone.publicId}/restore`)).toMatchObject(full);
  const other = await create(elsewhere, "Other");
  expect(
    await rest.post(`/boards/${other.publicId}/move`, { workspacePublicId: workspace.publicId }),
  ).toMatchObject(full);
  expect((await rest.get(`/boards/${other.publicId}`)).body.workspacePublicId).toBe(
    elsewhere.publicId,
  );
});
