import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { describe, expect, test } from "vitest";
import { removeMember, setOverride, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeUser, makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { insertInvite, insertMember } from "../../support/state.ts";

const app = useApp();
const dayMs = 24 * 60 * 60 * 1000;

const accept = (user: As, inviteCode: string) => user.rest.post("/invites/accept", { inviteCode });
async function codeOf(workspace: Workspace, body: object = {}): Promise<string> {
  const made = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`, body);
  return made.body.inviteCode;
}
const rowsOf = (workspace: Workspace, { email }: User) =>
  app().db.reader.member.findMany({
    where: { workspace: { publicId: workspace.publicId }, email },
    include: { role: true, overrides: true },
  });
const gone = { status: 404, body: { code: "NOT_FOUND", issues: [{ code: "invite_not_found" }] } };

describe("a removed member who returns", () => {
  test("has the link's role, one row, and no earlier permissions", async () => {
    const workspace = await makeWorkspace(app());
    const user = await join(app(), workspace, "admin");
    await setOverride(app(), user.memberPublicId, "member:edit", true);
    await removeMember(app(), user.memberPublicId);
    const { status, body } = await accept(user, await codeOf(workspace, { role: "guest" }));
    expect({ status, member: body.memberPublicId }).toEqual({
      status: 200,
      member: user.memberPublicId,
    });
    expect(await rowsOf(workspace, user)).toMatchObject([
      { status: "active", removedAt: null, role: { name: "guest" }, overrides: [] },
    ]);
  });

  test("needs a link from after the removal", async () => {
    const workspace = await makeWorkspace(app());
    const user = await join(app(), workspace, "member");
    const known = await codeOf(workspace);
    app().advance(1_000);
    const path = `/workspaces/${workspace.publicId}/members/${user.memberPublicId}`;
    expect((await workspace.admin.rest.delete(path)).status).toBe(200);
    const { status, body } = await accept(user, known);
    expect({ status, why: body.issues[0].message }).toEqual({
      status: 403,
      why: "You were removed after this link was created. Ask for a new link.",
    });
    expect((await accept(await makeUser(app()), known)).status).toBe(200);
    expect((await user.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(403);
    expect((await accept(user, await codeOf(workspace))).status).toBe(200);
  });

  test("is no longer on restricted boards", async () => {
    const workspace = await makeWorkspace(app());
    const user = await join(app(), workspace, "member");
    const made = await user.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Ours",
      visibility: "restricted",
    });
    await removeMember(app(), user.memberPublicId);
    await accept(user, await codeOf(workspace));
    expect((await user.rest.get(`/boards/${made.body.publicId}`)).status).toBe(403);
  });
});

describe("an invite to an address", () => {
  async function invited(workspace: Workspace, email: string) {
    const member = await insertMember(app(), workspace.publicId, {
      email,
      role: "guest",
      status: "invited",
    });
    const code = `personal-${member.publicId}`;
    const codeHash = fingerprint(code);
    await insertInvite(app(), workspace.publicId, { memberId: member.id, codeHash, ms: dayMs });
    return { code, member: member.publicId };
  }

  test("works once, only for the account with the address", async () => {
    const workspace = await makeWorkspace(app());
    const [user, thief] = [await makeUser(app()), await makeUser(app())];
    const { code, member } = await invited(workspace, user.email);
    expect(await accept(thief, code)).toMatchObject(gone);
    expect((await accept(user, code)).body.memberPublicId).toBe(member);
    await removeMember(app(), member);
    expect(await accept(user, code)).toMatchObject(gone);
    expect(await rowsOf(workspace, user)).toHaveLength(1);
  });

  test("creates one membership when a link is used at the same time", async () => {
    const workspace = await makeWorkspace(app());
    const user = await makeUser(app());
    const { code } = await invited(workspace, user.email);
    const replies = await Promise.all([accept(user, code), accept(user, await codeOf(workspace))]);
    expect(tally(replies)).toEqual({ 200: 1, 409: 1 });
    expect(await rowsOf(workspace, user)).toHaveLength(1);
  });
});
