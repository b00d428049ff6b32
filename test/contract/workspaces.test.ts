import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";

const app = useApp();
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("GET /workspaces", () => {
  test("is an empty array for a new user", async () => {
    const { rest } = await makeUser(app());
    const { status, body } = await rest.get("/workspaces");
    expect({ status, body }).toEqual({ status: 200, body: [] });
  });

  test("returns exactly the interface's fields, by name, with the caller's role", async () => {
    const user = await makeUser(app());
    const made: Record<string, unknown>[] = [];
    for (const workspace of [{ name: "Beta", description: "Second" }, { name: "alpha" }]) {
      made.push((await user.rest.post("/workspaces", workspace)).body);
    }
    const other = await makeWorkspace(app());
    const { body: invite } = await other.admin.rest.post(`/workspaces/${other.publicId}/invites`, {
      role: "guest",
    });
    await user.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
    const { status, body } = await user.rest.get("/workspaces");
    const entry = (role: string, workspace: object) => ({
      role,
      workspace: { description: null, weekStartDay: 1, deletedAt: null, ...workspace },
    });
    const own = (index: number) => {
      const { plan: _, ...fields } = made[index] ?? {};
      return entry("admin", fields);
    };
    expect(status).toBe(200);
    expect(body).toEqual([
      own(1),
      own(0),
      entry("guest", {
        publicId: other.publicId,
        name: expect.stringMatching(/^Workspace /),
        slug: other.slug,
        cardPrefix: other.cardPrefix,
      }),
    ]);
  });

  test("excludes deleted workspaces, and returns only them with deleted=true", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const { body: remaining } = await rest.post("/workspaces", { name: "Remaining" });
    await rest.delete(`/workspaces/${workspace.publicId}`);
    const live = [{ role: "admin", workspace: { publicId: remaining.publicId, deletedAt: null } }];
    for (const path of ["/workspaces", "/workspaces?deleted=false"]) {
      expect((await rest.get(path)).body).toMatchObject(live);
    }
    expect((await rest.get("/workspaces?deleted=true")).body).toMatchObject([
      { role: "admin", workspace: { publicId: workspace.publicId, deletedAt: moment } },
    ]);
  });

  test.each(["deleted=2", "deleted=TRUE", "deleted=", "deleted=true&deleted=true"])(
    "rejects ?%s",
    async (query) => {
      const { rest } = await makeUser(app());
      expectFaults(await rest.get(`/workspaces?${query}`), "deleted");
    },
  );
});

describe("DELETE /workspaces/{workspacePublicId}", () => {
  test("succeeds once", async () => {
    const { admin, publicId } = await makeWorkspace(app());
    const { status, body } = await admin.rest.delete(`/workspaces/${publicId}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expectFailure(await admin.rest.delete(`/workspaces/${publicId}`), "NOT_FOUND");
  });

  test("hides everything in it", async () => {
    const workspace = await makeWorkspace(app());
    const { admin, publicId } = workspace;
    const board = await makeBoard(workspace);
    const card = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.delete(`/workspaces/${publicId}`);
    for (const path of [
      `/workspaces/${publicId}`,
      `/workspaces/${publicId}/members`,
      `/boards/${board.publicId}`,
      `/lists/${board.lists[0]}`,
      `/cards/${card}`,
    ]) {
      expectFailure(await admin.rest.get(path), "NOT_FOUND");
    }
    const list = { name: "a", boardPublicId: board.publicId };
    expectFailure(await admin.rest.post("/lists", list), "NOT_FOUND");
    const label = { name: "a", colourCode: "#000000" };
    expectFailure(await admin.rest.put(`/labels/${board.labels[0]}`, label), "NOT_FOUND");
  });

  test("is for admins only", async () => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    const reply = await member.rest.delete(`/workspaces/${workspace.publicId}`);
    expectFailure(reply, "FORBIDDEN", [{ code: "workspace:delete" }]);
    const second = await join(app(), workspace, "admin");
    expect((await second.rest.delete(`/workspaces/${workspace.publicId}`)).status).toBe(200);
  });
});
