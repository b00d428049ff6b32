import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeCard, makeUser } from "../../support/make.ts";
import { removeMember, setOverride, setRole } from "./membership.ts";
import { keyOf, scene } from "./key-scene.ts";
import { insertMember } from "../../support/state.ts";

const app = useApp();

describe("rule 1: membership", () => {
  test("is one row per user and one row per address, with any writer", async () => {
    const { workspace, member } = await scene(app());
    const { publicId: user, email } = member;
    const role = "admin";
    await expect(
      insertMember(app(), workspace.publicId, {
        user,
        email: "other@example.com",
        role,
        status: "active",
      }),
    ).rejects.toThrow(/members_workspaceId_userId_key/);
    await expect(
      insertMember(app(), workspace.publicId, { email, role, status: "invited" }),
    ).rejects.toThrow(/members_workspaceId_email_key/);
  });

  test("always has a user when it is active", async () => {
    const { workspace } = await scene(app());
    const row = { email: "unknown@example.com", role: "admin", status: "active" } as const;
    await expect(insertMember(app(), workspace.publicId, row)).rejects.toThrow(
      /members_active_check/,
    );
  });

  test("gives no permission before it is active", async () => {
    const { workspace, board } = await scene(app());
    const user = await makeUser(app());
    await insertMember(app(), workspace.publicId, {
      user: user.publicId,
      email: user.email,
      role: "admin",
      status: "invited",
    });
    expect((await user.rest.get(`/boards/${board.publicId}`)).status).toBe(403);
    expect((await user.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(403);
    expect((await user.rest.get("/workspaces")).body).toEqual([]);
  });

  test("ends with the access of its sessions and keys", async () => {
    const { workspace, member, list } = await scene(app());
    const card = await makeCard(member, list);
    const key = await keyOf(app(), member);
    await removeMember(app(), member.memberPublicId);
    for (const who of [member, key]) {
      expect((await who.rest.put(`/cards/${card}`, { title: "Mine" })).status).toBe(403);
      expect((await who.rest.delete(`/cards/${card}`)).status).toBe(403);
      expect((await who.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(403);
      expect((await who.rest.get("/users/me")).status).toBe(200);
    }
  });
});

describe("rule 3: what a member may do", () => {
  test("follows their role from the very next call of the same token", async () => {
    const { member, addCard } = await scene(app());
    for (const [role, status] of [
      ["guest", 403],
      ["admin", 200],
      ["guest", 403],
      ["member", 200],
    ] as const) {
      await setRole(app(), member.memberPublicId, role);
      expect({ role, status: await addCard(member) }).toEqual({ role, status });
    }
  });

  test("follows their overrides, which add to the role and take from it", async () => {
    const { member, addCard } = await scene(app());
    await setOverride(app(), member.memberPublicId, "card:create", false);
    expect(await addCard(member)).toBe(403);
    await setRole(app(), member.memberPublicId, "admin");
    expect(await addCard(member)).toBe(403);
    await setOverride(app(), member.memberPublicId, "card:create", true);
    await setRole(app(), member.memberPublicId, "guest");
    expect(await addCard(member)).toBe(200);
  });

  test("is not written in the token", async () => {
    const { workspace } = await scene(app());
    const [, payload = ""] = workspace.admin.token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(Object.keys(claims).toSorted()).toEqual(["aud", "exp", "iat", "iss", "sid", "sub"]);
  });

  test("holds in the one workspace alone", async () => {
    const [home, away] = [await scene(app()), await scene(app())];
    expect(await away.addCard(home.workspace.admin)).toBe(403);
    expect(await away.addCard(home.member)).toBe(403);
  });
});

describe("rule 3: the creator of a resource", () => {
  test("may change and delete it without the permission, but no other resource", async () => {
    const { workspace, member, list } = await scene(app());
    const [mine, theirs] = [await makeCard(member, list), await makeCard(workspace.admin, list)];
    for (const permission of ["card:edit", "card:delete"] as const) {
      await setOverride(app(), member.memberPublicId, permission, false);
    }
    expect((await member.rest.put(`/cards/${mine}`, { title: "Still mine" })).status).toBe(200);
    expect((await member.rest.put(`/cards/${theirs}`, { title: "Not mine" })).status).toBe(403);
    expect((await member.rest.delete(`/cards/${theirs}`)).status).toBe(403);
    expect((await member.rest.delete(`/cards/${mine}`)).status).toBe(200);
  });
});

describe("rule 7: a public board", () => {
  test("is open by its id to members only", async () => {
    const { workspace } = await scene(app());
    const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Open",
      visibility: "public",
    });
    const stranger = await makeUser(app());
    expect((await stranger.rest.get(`/boards/${body.publicId}`)).status).toBe(403);
    expect((await as(app()).rest.get(`/boards/${body.publicId}`)).status).toBe(401);
    expect(
      (await stranger.rest.post("/lists", { name: "No", boardPublicId: body.publicId })).status,
    ).toBe(403);
  });
});
