import { describe, expect, test } from "vitest";
import { removeMember } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeUser, makeWorkspace, type User } from "../../support/make.ts";

const app = useApp();

const idsOf = async (user: Pick<User, "rest">, query = "") =>
  (await user.rest.get(`/workspaces${query}`)).body.map(
    (entry: { workspace: { publicId: string } }) => entry.workspace.publicId,
  );

describe("workspace.list", () => {
  test("returns the caller's workspaces by name with their roles", async () => {
    const home = await makeWorkspace(app());
    const guest = await join(app(), home, "guest");
    await home.admin.rest.put(`/workspaces/${home.publicId}`, { name: "beta", description: "b" });
    const { body: own } = await guest.rest.post("/workspaces", { name: "Alpha" });
    const { status, body } = await guest.rest.get("/workspaces");
    const entry = (role: string, workspace: object) => ({
      role,
      workspace: { ...workspace, weekStartDay: 1, deletedAt: null },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        entry("admin", {
          publicId: own.publicId,
          name: "Alpha",
          description: null,
          slug: own.slug,
          cardPrefix: "ALP",
        }),
        entry("guest", {
          publicId: home.publicId,
          name: "beta",
          description: "b",
          slug: home.slug,
          cardPrefix: home.cardPrefix,
        }),
      ],
    });
  });

  test("sorts names without case and accents, in every locale", async () => {
    const user = await makeUser(app());
    const sorted = ["Äpfel", "birnen", "Öl", "Zebra"];
    for (const name of sorted.toReversed()) await user.rest.post("/workspaces", { name });
    const { body } = await user.rest.get("/workspaces");
    const names = body.map((entry: { workspace: { name: string } }) => entry.workspace.name);
    expect(names).toEqual(sorted);
  });

  test("is empty without memberships, and excludes removed members", async () => {
    const workspace = await makeWorkspace(app());
    expect(await idsOf(await makeUser(app()))).toEqual([]);
    const member = await join(app(), workspace, "member");
    expect(await idsOf(member)).toEqual([workspace.publicId]);
    await removeMember(app(), member.memberPublicId);
    expect(await idsOf(member)).toEqual([]);
    expect(await idsOf(member, "?deleted=true")).toEqual([]);
  });

  test("returns deleted workspaces with deletedAt for deleted=true", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const { body: remaining } = await admin.rest.post("/workspaces", { name: "Remaining" });
    await admin.rest.delete(`/workspaces/${workspace.publicId}`);
    expect(await idsOf(admin)).toEqual([remaining.publicId]);
    expect(await idsOf(admin, "?deleted=false")).toEqual([remaining.publicId]);
    const { body } = await admin.rest.get("/workspaces?deleted=true");
    const deletedAt = app().deps.clock().toISOString();
    expect(body).toMatchObject([{ workspace: { publicId: workspace.publicId, deletedAt } }]);
  });

  test.each(["?deleted=yes", "?deleted=2", "?deleted="])("rejects %s", async (query) => {
    expect((await (await makeUser(app())).rest.get(`/workspaces${query}`)).status).toBe(400);
  });

  test("returns only the workspace of a scoped key", async () => {
    const workspace = await makeWorkspace(app());
    await makeWorkspace(app(), workspace.admin);
    const bounds = { name: "bound", workspacePublicId: workspace.publicId };
    const { body } = await workspace.admin.rest.post("/auth/api-keys", bounds);
    expect(await idsOf(as(app(), body.key))).toEqual([workspace.publicId]);
  });
});
