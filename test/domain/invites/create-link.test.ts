import { describe, expect, test } from "vitest";
import { eventsIn, setOverride, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { join, makeUser, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
const dayMs = 24 * 60 * 60 * 1000;

const link = (caller: As, workspace: Workspace, body: object = {}) =>
  caller.rest.post(`/workspaces/${workspace.publicId}/invites`, body);
const live = (workspace: Workspace) =>
  app().db.reader.invite.count({
    where: { workspace: { publicId: workspace.publicId }, deactivatedAt: null },
  });

describe("invite.createLink", () => {
  test("creates a link for role member, valid for seven days, without a limit of uses", async () => {
    const workspace = await makeWorkspace(app());
    const { status, body } = await link(workspace.admin, workspace);
    const now = app().deps.clock();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        inviteCode: expect.stringMatching(/^[\w-]{24}$/),
        role: "member",
        isActive: true,
        maxUses: null,
        uses: 0,
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + 7 * dayMs).toISOString(),
      },
    });
  });

  test("accepts a role, days and a number of uses", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await link(workspace.admin, workspace, {
      role: "guest",
      expiresInDays: 30,
      maxUses: 2,
    });
    const expiresAt = new Date(app().deps.clock().getTime() + 30 * dayMs).toISOString();
    expect(body).toMatchObject({ role: "guest", maxUses: 2, expiresAt });
  });

  test.each([
    ["no days", { expiresInDays: 0 }, "expiresInDays"],
    ["31 days", { expiresInDays: 31 }, "expiresInDays"],
    ["half a day", { expiresInDays: 0.5 }, "expiresInDays"],
    ["no uses", { maxUses: 0 }, "maxUses"],
    ["an empty role", { role: " " }, "role"],
    ["a field that there is not", { code: "mine" }, "code"],
  ])("rejects %s", async (_, body, field) => {
    const workspace = await makeWorkspace(app());
    const reply = await link(workspace.admin, workspace, body);
    expect(reply).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: [{ path: [field] }] },
    });
    expect(await live(workspace)).toBe(0);
  });

  test("accepts only roles of the workspace", async () => {
    const workspace = await makeWorkspace(app());
    const { status, body } = await link(workspace.admin, workspace, { role: "owner" });
    expect({ status, code: body.issues[0].code }).toEqual({ status: 404, code: "role_not_found" });
  });

  test("deactivates the old link", async () => {
    const workspace = await makeWorkspace(app());
    const { body: old } = await link(workspace.admin, workspace);
    const { body: fresh } = await link(workspace.admin, workspace);
    const user = await makeUser(app());
    expect((await user.rest.post("/invites/accept", { inviteCode: old.inviteCode })).status).toBe(
      404,
    );
    expect((await user.rest.post("/invites/accept", { inviteCode: fresh.inviteCode })).status).toBe(
      200,
    );
  });

  test("leaves one active link after concurrent calls", async () => {
    const workspace = await makeWorkspace(app());
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => link(workspace.admin, workspace)),
    );
    expect(tally(replies)).toEqual({ 200: 8 });
    expect(await live(workspace)).toBe(1);
  });

  test("emits no event", async () => {
    const workspace = await makeWorkspace(app());
    const before = await eventsIn(app(), workspace.publicId);
    await link(workspace.admin, workspace);
    expect(await eventsIn(app(), workspace.publicId)).toEqual(before);
  });
});

describe("a member with member:invite", () => {
  async function inviter(workspace: Workspace, role: "member" | "guest") {
    const member = await join(app(), workspace, role);
    await setOverride(app(), member.memberPublicId, "member:invite", true);
    return member;
  }

  test("can invite up to their own level", async () => {
    const workspace = await makeWorkspace(app());
    const member = await inviter(workspace, "member");
    const guest = await inviter(workspace, "guest");
    expect((await link(member, workspace, { role: "admin" })).status).toBe(403);
    expect((await link(guest, workspace, { role: "member" })).status).toBe(403);
    expect((await link(guest, workspace)).status).toBe(403);
    expect(await live(workspace)).toBe(1);
    expect((await link(member, workspace, { role: "member" })).status).toBe(200);
    expect((await link(guest, workspace, { role: "guest" })).status).toBe(200);
  });

  test("cannot invite to a role with permissions that they lack", async () => {
    const workspace = await makeWorkspace(app());
    const member = await inviter(workspace, "member");
    await setOverride(app(), member.memberPublicId, "card:delete", false);
    expect((await link(member, workspace, { role: "member" })).status).toBe(403);
    expect((await link(member, workspace, { role: "guest" })).status).toBe(200);
  });

  test("cannot invite by a key beyond the key's permissions", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "door",
      permissions: ["member:invite"],
    });
    expect((await link(as(app(), body.key), workspace, { role: "admin" })).status).toBe(403);
    expect((await link(as(app(), body.key), workspace, { role: "guest" })).status).toBe(403);
  });
});
