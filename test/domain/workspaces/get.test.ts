import { describe, expect, test } from "vitest";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeWorkspace } from "../../support/make.ts";

const app = useApp();

describe("workspace.get", () => {
  test("returns the workspace with the caller's role and permissions", async () => {
    const workspace = await makeWorkspace(app());
    const guest = await join(app(), workspace, "guest");
    await setOverride(app(), guest.memberPublicId, "card:edit", true);
    const { status, body } = await guest.rest.get(`/workspaces/${workspace.publicId}`);
    const now = app().deps.clock().toISOString();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        publicId: workspace.publicId,
        name: expect.stringMatching(/^Workspace \d+$/),
        slug: workspace.slug,
        description: null,
        plan: "free",
        requiresSecondFactor: false,
        cardPrefix: workspace.cardPrefix,
        weekStartDay: 1,
        timeZone: null,
        showEmailsToMembers: true,
        version: 1,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
        role: "guest",
        memberPublicId: guest.memberPublicId,
        permissions: [
          "workspace:view",
          "board:view",
          "list:view",
          "card:view",
          "card:edit",
          "comment:view",
          "member:view",
        ],
      },
    });
  });

  test("returns the permissions of a key, not of its owner", async () => {
    const workspace = await makeWorkspace(app());
    const permissions = ["workspace:view", "card:view"];
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "narrow",
      permissions,
    });
    const { body: seen } = await as(app(), body.key).rest.get(`/workspaces/${workspace.publicId}`);
    expect(seen).toMatchObject({ role: "admin", permissions });
  });
});
