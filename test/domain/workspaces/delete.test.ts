import { describe, expect, test } from "vitest";
import { eventsIn, setOverride, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

describe("workspace.delete", () => {
  test("hides the workspace and everything in it", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace);
    const [list = ""] = board.lists;
    const card = await makeCard(workspace.admin, list);
    const { body: checklist } = await rest.post(`/cards/${card}/checklists`, {
      name: "List",
      items: ["Item"],
    });
    const { status, body } = await rest.delete(`/workspaces/${workspace.publicId}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    const home = `/workspaces/${workspace.publicId}`;
    const reads = [
      home,
      `${home}/members`,
      `${home}/roles`,
      `${home}/webhooks`,
      `/boards/${board.publicId}`,
      `/lists/${list}`,
      `/cards/${card}`,
    ];
    const writes = [
      rest.post(`${home}/boards`, { name: "No" }),
      rest.post("/lists", { name: "No", boardPublicId: board.publicId }),
      rest.put(`/cards/${card}`, { title: "No" }),
      rest.put(`/labels/${board.labels[0]}`, { name: "No", colourCode: "#000000" }),
      rest.delete(`/checklists/items/${checklist.items[0].publicId}`),
      rest.delete(home),
    ];
    const replies = await Promise.all([...reads.map((path) => rest.get(path)), ...writes]);
    expect(tally(replies)).toEqual({ 404: reads.length + writes.length });
  });

  test("emits one event with deletedAt", async () => {
    const workspace = await makeWorkspace(app());
    const replies = await Promise.all(
      [0, 1, 2].map(() => workspace.admin.rest.delete(`/workspaces/${workspace.publicId}`)),
    );
    expect(tally(replies)).toEqual({ 200: 1, 404: 2 });
    const deletedAt = app().deps.clock().toISOString();
    expect(await eventsIn(app(), workspace.publicId, "workspace.deleted")).toMatchObject([
      { data: { workspace: { publicId: workspace.publicId, deletedAt, version: 2 } } },
    ]);
  });

  test("is 403 for an admin without the permission, and changes nothing", async () => {
    const workspace = await makeWorkspace(app());
    const admin = await join(app(), workspace, "admin");
    await setOverride(app(), admin.memberPublicId, "workspace:delete", false);
    expect((await admin.rest.delete(`/workspaces/${workspace.publicId}`)).status).toBe(403);
    expect((await admin.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(200);
  });
});
