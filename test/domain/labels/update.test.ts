import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 1 });
  const [label = ""] = board.labels;
  return { user: workspace.admin, board, label, path: `/labels/${label}` };
};
const updates = (boardPublicId: string) =>
  findEvents(app(), { where: { boardPublicId, type: "label.updated" } });

describe("label.update", () => {
  test("gives the label its new name and colour on the board and on every card", async () => {
    const { user, board, label, path } = await start();
    const card = await makeCard(user, board.lists[0] ?? "");
    await user.rest.put(`/cards/${card}/labels/${label}`);
    const { status, body, headers } = await user.rest.put(path, {
      name: "Bug",
      colourCode: "#abcdef",
    });
    expect({ status, body, tag: headers.get("etag") }).toEqual({
      status: 200,
      body: { publicId: label, name: "Bug", colourCode: "#abcdef" },
      tag: '"2"',
    });
    expect((await user.rest.get(`/cards/${card}`)).body.labels).toEqual([body]);
    expect((await user.rest.get(`/boards/${board.publicId}`)).body.labels).toEqual([body]);
    expect(await updates(board.publicId)).toMatchObject([
      { data: { label: body }, changes: { name: { from: "Label 0", to: "Bug" } } },
    ]);
  });

  test("without changes does not change the version and emits nothing", async () => {
    const { user, board, label } = await start();
    const same = { name: "Label 0", colourCode: "#1f2e3d" };
    const body = await user.trpc.label.update.mutate({ labelPublicId: label, ...same });
    expect(body).toEqual({ publicId: label, ...same });
    expect((await user.rest.put(`/labels/${label}`, same)).headers.get("etag")).toBe('"1"');
    expect(await updates(board.publicId)).toEqual([]);
  });

  test("needs both fields, in their bounds", async () => {
    const { user, path } = await start();
    const wrong = [
      {},
      { name: "x" },
      { colourCode: "#123456" },
      { name: "", colourCode: "#123456" },
      { name: "x".repeat(37), colourCode: "#123456" },
      { name: "x", colourCode: "#1234567" },
      { name: "x", colourCode: "purple!" },
      { name: "x", colourCode: null },
    ];
    for (const body of wrong) expect((await user.rest.put(path, body)).status).toBe(400);
    const most = { name: "🙂".repeat(36), colourCode: "#123456" };
    expect((await user.rest.put(path, most)).body).toMatchObject(most);
  });

  test("with a stale If-Match is 412", async () => {
    const { user, path } = await start();
    await user.rest.put(path, { name: "New", colourCode: "#123456" });
    const options = { headers: { "If-Match": '"1"' } };
    expect(
      (await user.rest.put(path, { name: "Old", colourCode: "#123456" }, options)).status,
    ).toBe(412);
  });
});
