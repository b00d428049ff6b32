import { describe, expect, test } from "vitest";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

type Shown = { email: string | null };
const list = (caller: As, workspace: Workspace, query = "") =>
  caller.rest.get(`/workspaces/${workspace.publicId}/members${query}`);
const shown = async (caller: As, workspace: Workspace, query = ""): Promise<Shown[]> =>
  (await list(caller, workspace, query)).body.items;

describe("a workspace that does not show addresses to members", () => {
  async function quiet() {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    const home = `/workspaces/${workspace.publicId}`;
    await workspace.admin.rest.put(home, { showEmailsToMembers: false });
    return { workspace, member };
  }

  test("hides them without member:edit", async () => {
    const { workspace, member } = await quiet();
    const { body } = await list(member, workspace);
    expect(body.items.map((item: Shown) => item.email)).toEqual([null, null]);
    expect(JSON.stringify(body)).not.toContain("@");
  });

  test("says nothing of the address of an invited member", async () => {
    const { workspace, member } = await quiet();
    const home = `/workspaces/${workspace.publicId}`;
    const email = "hidden.person@example.com";
    const { body } = await workspace.admin.rest.post(`${home}/members/invite`, { email });
    for (const path of ["/members", `/members/${body.publicId}`, "/events", "/snapshot"]) {
      const read = await app().call({ method: "GET", path: home + path, token: member.token });
      expect([path, read.status]).toEqual([path, 200]);
      expect(JSON.stringify(read.body)).not.toContain("hidden");
    }
  });

  test("does not find members by hidden addresses", async () => {
    const { workspace, member } = await quiet();
    expect(
      await shown(member, workspace, `?query=${encodeURIComponent(workspace.admin.email)}`),
    ).toEqual([]);
    expect(await shown(member, workspace, "?query=example.com")).toEqual([]);
  });

  test("shows them with member:edit, until it is revoked", async () => {
    const { workspace, member } = await quiet();
    await setOverride(app(), member.memberPublicId, "member:edit", true);
    expect((await shown(member, workspace)).map((item) => item.email)).toEqual([
      workspace.admin.email,
      member.email,
    ]);
    await setOverride(app(), member.memberPublicId, "member:edit", false);
    expect((await shown(member, workspace)).map((item) => item.email)).toEqual([null, null]);
  });

  test("hides them from an admin's key without member:edit", async () => {
    const { workspace } = await quiet();
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "reader",
      permissions: ["member:view"],
    });
    const { body: page } = await app().call({
      method: "GET",
      path: `/workspaces/${workspace.publicId}/members`,
      token: body.key,
    });
    expect(page.items.map((item: Shown) => item.email)).toEqual([null, null]);
  });
});
