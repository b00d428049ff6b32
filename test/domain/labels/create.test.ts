import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const { publicId: boardPublicId } = await makeBoard(workspace, { labels: 0 });
  const labels = async () => (await workspace.admin.trpc.board.get.query({ boardPublicId })).labels;
  return { workspace, user: workspace.admin, boardPublicId, labels };
};

describe("label.create", () => {
  test("adds a label to the board and announces it once", async () => {
    const { user, boardPublicId, labels } = await start();
    const { status, body } = await user.rest.post("/labels", {
      name: " Bug ",
      colourCode: "#Ab12ef",
      boardPublicId,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        name: "Bug",
        colourCode: "#Ab12ef",
        boardPublicId,
        version: 1,
      },
    });
    const { boardPublicId: _, ...label } = body;
    expect([label]).toMatchObject(await labels());
    const events = await findEvents(app(), {
      where: { boardPublicId, type: "label.created" },
    });
    expect(events).toMatchObject([{ data: { label, board: { publicId: boardPublicId } } }]);
  });

  test("labels of one name are in the order of their ids, as clients sort them", async () => {
    const { user, boardPublicId, labels } = await start();
    const label = { name: "Same", colourCode: "#123456", boardPublicId };
    for (let n = 0; n < 6; n++) await user.rest.post("/labels", label);
    const ids = (await labels()).map(({ publicId }) => publicId);
    expect(ids).toHaveLength(6);
    expect(ids).toEqual(ids.toSorted());
  });

  test("refuses what is no colour and a name out of bounds", async () => {
    const { user, boardPublicId, labels } = await start();
    const wrong = [
      { colourCode: "#12345" },
      { colourCode: "#12345g" },
      { colourCode: "1234567" },
      { colourCode: null },
      { colourCode: undefined },
      { name: " " },
      { name: "x".repeat(37) },
    ];
    for (const field of wrong) {
      const { status } = await user.rest.post("/labels", {
        name: "x",
        colourCode: "#123456",
        boardPublicId,
        ...field,
      });
      expect({ field, status }).toEqual({ field, status: 400 });
    }
    expect(await labels()).toEqual([]);
  });

  test("is 404 for an unknown board, 403 for a stranger and a guest", async () => {
    const { workspace, user, boardPublicId } = await start();
    const body = { name: "x", colourCode: "#123456", boardPublicId };
    expect(
      (await user.rest.post("/labels", { ...body, boardPublicId: "nowhere00000" })).status,
    ).toBe(404);
    const { admin: stranger } = await makeWorkspace(app());
    expect((await stranger.rest.post("/labels", body)).status).toBe(403);
    expect((await (await join(app(), workspace, "guest")).rest.post("/labels", body)).status).toBe(
      403,
    );
  });
});
