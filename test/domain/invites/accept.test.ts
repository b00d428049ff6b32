import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { describe, expect, test } from "vitest";
import { eventsIn, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { makeUser, makeWorkspace, type User, type Workspace } from "../../support/make.ts";

const app = useApp();
const dayMs = 24 * 60 * 60 * 1000;

const accept = (user: As, inviteCode: string) => user.rest.post("/invites/accept", { inviteCode });
async function codeOf(workspace: Workspace, body: object = {}): Promise<string> {
  const made = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`, body);
  return made.body.inviteCode;
}
const membersOf = ({ publicId }: Workspace) =>
  app().db.reader.member.findMany({ where: { workspace: { publicId } } });
const rowsOf = async (workspace: Workspace, { email }: User) =>
  (await membersOf(workspace)).filter((member) => member.email === email);
const gone = { status: 404, body: { code: "NOT_FOUND", issues: [{ code: "invite_not_found" }] } };

describe("invite.accept", () => {
  test("makes the caller an active member with the link's role", async () => {
    const workspace = await makeWorkspace(app());
    const user = await makeUser(app());
    const { status, body } = await accept(user, await codeOf(workspace, { role: "guest" }));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        workspacePublicId: workspace.publicId,
        workspaceSlug: workspace.slug,
        memberPublicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        publicId: body.memberPublicId,
        role: "guest",
        email: user.email,
      },
    });
    const { body: seen } = await user.rest.get(`/workspaces/${workspace.publicId}`);
    expect(seen).toMatchObject({ role: "guest", memberPublicId: body.memberPublicId });
    const [row] = await rowsOf(workspace, user);
    expect(row).toMatchObject({ status: "active", joinedAt: app().deps.clock() });
  });

  test("emits one event, without an address", async () => {
    const workspace = await makeWorkspace(app());
    const user = await makeUser(app());
    const { body } = await accept(user, await codeOf(workspace));
    const events = await eventsIn(app(), workspace.publicId, "member.joined");
    expect(events).toMatchObject([
      {
        data: { member: { publicId: body.memberPublicId, role: "member" } },
        actorPublicId: user.publicId,
      },
    ]);
    expect(JSON.stringify(events[0]?.data)).not.toContain(user.email);
  });

  test("is 409 for a member and does not count as a use", async () => {
    const workspace = await makeWorkspace(app());
    const inviteCode = await codeOf(workspace, { maxUses: 1 });
    expect((await accept(workspace.admin, inviteCode)).status).toBe(409);
    expect((await accept(await makeUser(app()), inviteCode)).status).toBe(200);
  });

  test("is 404 for an unknown code", async () => {
    expect(await accept(await makeUser(app()), "abcdefghijklmnopqrstuvwx")).toMatchObject(gone);
    expect((await accept(await makeUser(app()), "short")).status).toBe(400);
  });

  test("works until the expiry, exclusively", async () => {
    const workspace = await makeWorkspace(app());
    const [early, late] = [await makeUser(app()), await makeUser(app())];
    const inviteCode = await codeOf(workspace, { expiresInDays: 1 });
    const freshToken = async ({ refreshToken }: User) =>
      (await early.rest.post("/auth/refresh", { refreshToken })).body.accessToken as string;
    app().advance(dayMs - 1);
    const call = async (user: User) =>
      app().call({
        method: "POST",
        path: "/invites/accept",
        token: await freshToken(user),
        body: { inviteCode },
      });
    expect((await call(early)).status).toBe(200);
    app().advance(1);
    expect(await call(late)).toMatchObject(gone);
  });

  test("is 404 for a deleted workspace", async () => {
    const workspace = await makeWorkspace(app());
    const inviteCode = await codeOf(workspace);
    await workspace.admin.rest.delete(`/workspaces/${workspace.publicId}`);
    expect(await accept(await makeUser(app()), inviteCode)).toMatchObject(gone);
  });

  test("accepts exactly maxUses concurrent callers", async () => {
    const workspace = await makeWorkspace(app());
    const users = await Promise.all(Array.from({ length: 9 }, () => makeUser(app())));
    const inviteCode = await codeOf(workspace, { maxUses: 4 });
    const replies = await Promise.all(users.map((user) => accept(user, inviteCode)));
    expect(tally(replies)).toEqual({ 200: 4, 404: 5 });
    expect(await membersOf(workspace)).toHaveLength(5);
    const { uses } = await app().db.reader.invite.findUniqueOrThrow({
      where: { codeHash: fingerprint(inviteCode) },
    });
    expect(uses).toBe(4);
  });

  test("creates one membership for concurrent calls of one user", async () => {
    const workspace = await makeWorkspace(app());
    const user = await makeUser(app());
    const inviteCode = await codeOf(workspace);
    const replies = await Promise.all(Array.from({ length: 8 }, () => accept(user, inviteCode)));
    expect(tally(replies)).toEqual({ 200: 1, 409: 7 });
    expect(await rowsOf(workspace, user)).toHaveLength(1);
    expect(await eventsIn(app(), workspace.publicId, "member.joined")).toHaveLength(1);
  });

  test("stays consistent while the link is being replaced", async () => {
    const workspace = await makeWorkspace(app());
    const users = await Promise.all(Array.from({ length: 4 }, () => makeUser(app())));
    const inviteCode = await codeOf(workspace);
    const [replaced, ...replies] = await Promise.all([
      workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`, {}),
      ...users.map((user) => accept(user, inviteCode)),
    ]);
    expect(replaced.status).toBe(200);
    expect(replies.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
    const joined = replies.filter(({ status }) => status === 200).length;
    expect(await membersOf(workspace)).toHaveLength(joined + 1);
  });
});
