import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

describe("list.create", () => {
  test("adds the list after the last one", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    const { status, body } = await workspace.admin.rest.post("/lists", {
      name: "  Three ",
      boardPublicId: board.publicId,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { publicId: expect.stringMatching(/^[0-9a-z]{12}$/), name: "Three" },
    });
    const { lists } = await workspace.admin.trpc.board.get.query({ boardPublicId: board.publicId });
    expect(lists.map((list) => list.name)).toEqual(["One", "Two", "Three"]);
  });

  test("inserts at the index, or at the end when the index is past it", async () => {
    const workspace = await makeWorkspace(app());
    const { publicId: boardPublicId } = await makeBoard(workspace, { lists: ["One", "Two"] });
    const { trpc } = workspace.admin;
    await trpc.list.create.mutate({ name: "First", boardPublicId, index: 0 });
    await trpc.list.create.mutate({ name: "Third", boardPublicId, index: 2 });
    await trpc.list.create.mutate({ name: "Last", boardPublicId, index: 1000 });
    const { lists } = await trpc.board.get.query({ boardPublicId });
    expect(lists.map((list) => list.name)).toEqual(["First", "One", "Third", "Two", "Last"]);
  });

  test("announces itself once, with the board that it is on", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace, { lists: [] });
    const guest = await join(app(), workspace, "guest");
    const refused = await guest.rest.post("/lists", { name: "No", boardPublicId: board.publicId });
    expect(refused.status).toBe(403);
    await workspace.admin.rest.post("/lists", { name: "Yes", boardPublicId: board.publicId });
    const events = await findEvents(app(), {
      where: { boardPublicId: board.publicId, type: "list.created" },
    });
    expect(events).toMatchObject([
      { data: { list: { name: "Yes" }, board: { publicId: board.publicId } }, actorType: "user" },
    ]);
  });
});
