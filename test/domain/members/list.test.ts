import { describe, expect, test } from "vitest";
import { removeMember } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

type Shown = { publicId: string; email: string | null; name: string };
const list = (caller: As, workspace: Workspace, query = "") =>
  caller.rest.get(`/workspaces/${workspace.publicId}/members${query}`);
const shown = async (caller: As, workspace: Workspace, query = ""): Promise<Shown[]> =>
  (await list(caller, workspace, query)).body.items;

async function workspaceWith(count: number) {
  const workspace = await makeWorkspace(app());
  const members = [];
  for (let index = 0; index < count; index++) members.push(await join(app(), workspace, "member"));
  return { workspace, members };
}

describe("member.list", () => {
  test("returns every member with all fields, oldest first", async () => {
    const { workspace, members } = await workspaceWith(2);
    const { status, body } = await list(workspace.admin, workspace);
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.items.map((item: Shown) => item.email)).toEqual([
      workspace.admin.email,
      ...members.map(({ email }) => email),
    ]);
    const now = app().deps.clock().toISOString();
    expect(body.items[1]).toEqual({
      publicId: members[0]?.memberPublicId,
      name: "A member",
      image: null,
      email: members[0]?.email,
      role: "member",
      rolePublicId: workspace.roles.member,
      status: "active",
      isService: false,
      version: 1,
      createdAt: now,
      joinedAt: now,
    });
  });

  test("returns each member once over pages while members change", async () => {
    const { workspace, members } = await workspaceWith(5);
    const seen: string[] = [];
    let cursor: string | null = null;
    const added: string[] = [];
    do {
      const next: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await list(workspace.admin, workspace, `?limit=2${next}`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map((item: Shown) => item.publicId));
      cursor = body.nextCursor;
      if (added.length < 2) added.push((await join(app(), workspace, "guest")).memberPublicId);
      if (seen.length === 2) await removeMember(app(), members[0]?.memberPublicId ?? "");
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(1)).toEqual([...members.map((member) => member.memberPublicId), ...added]);
  });

  test("reveals nothing about the database in cursors", async () => {
    const { workspace } = await workspaceWith(2);
    const [one, other] = [
      await list(workspace.admin, workspace, "?limit=1"),
      await list(workspace.admin, workspace, "?limit=2"),
    ];
    const [cursor, next] = [String(one.body.nextCursor), String(other.body.nextCursor)];
    expect(cursor).toMatch(/^v1\.[\w-]{30,}$/);
    // The ids of two rows in succession differ in a bit or two; their cursors have nothing in common.
    expect(next.slice(0, 11)).not.toBe(cursor.slice(0, 11));
  });

  test("ends exactly at the last member", async () => {
    const { workspace } = await workspaceWith(1);
    const first = await list(workspace.admin, workspace, "?limit=1");
    const last = await list(workspace.admin, workspace, `?limit=1&cursor=${first.body.nextCursor}`);
    expect(last.body.items).toHaveLength(1);
    expect(last.body.nextCursor).toBeNull();
    expect((await list(workspace.admin, workspace, "?limit=2")).body.nextCursor).toBeNull();
  });

  test.each([
    "?limit=0",
    "?limit=101",
    "?limit=ten",
    "?limit=1.5",
    "?cursor=",
    "?page=2",
    "?status=gone",
    "?query=",
  ])("rejects %s", async (query) => {
    const workspace = await makeWorkspace(app());
    expect((await list(workspace.admin, workspace, query)).status).toBe(400);
  });

  test("rejects a forged cursor", async () => {
    const { workspace } = await workspaceWith(1);
    const { body } = await list(workspace.admin, workspace, "?limit=1");
    const other = await workspaceWith(1);
    const foreign = await list(other.workspace.admin, other.workspace, "?limit=1");
    const forged = [
      "nonsense",
      "%00",
      `${body.nextCursor}x`,
      body.nextCursor.slice(0, -2),
      foreign.body.nextCursor,
      Buffer.from('["1"]').toString("base64url"),
      "1",
    ];
    for (const cursor of forged) {
      const reply = await list(workspace.admin, workspace, `?cursor=${encodeURIComponent(cursor)}`);
      expect({ cursor, status: reply.status }).toEqual({ cursor, status: 400 });
    }
  });

  test("returns removed members only with status=removed", async () => {
    const { workspace, members } = await workspaceWith(2);
    const [gone] = members;
    await removeMember(app(), gone?.memberPublicId ?? "");
    const ids = async (query: string) =>
      (await shown(workspace.admin, workspace, query)).map((item) => item.publicId);
    expect(await ids("")).not.toContain(gone?.memberPublicId);
    expect(await ids("?status=active")).toHaveLength(2);
    expect(await ids("?status=removed")).toEqual([gone?.memberPublicId]);
    expect(await ids("?status=invited")).toEqual([]);
  });

  test("finds by part of the name or address, ignoring case", async () => {
    const { workspace, members } = await workspaceWith(1);
    await join(app(), workspace, "guest");
    const names = async (query: string) =>
      (await shown(workspace.admin, workspace, `?query=${encodeURIComponent(query)}`)).map(
        (item) => item.name,
      );
    expect(await names("A GUE")).toEqual(["A guest"]);
    expect(await names(members[0]?.email.toUpperCase() ?? "")).toEqual(["A member"]);
    expect(await names("no such name")).toEqual([]);
  });

  test.each([
    ["lodz", "Adam Łódź"],
    ["RESUME", "Jean Résumé"],
    ["prufen", "Uwe Prüfen"],
    ["STRASSE", "Anna Straße"],
    ["οδυσσευσ", "Νίκος Οδυσσεύς"],
    ["ЕЛКИН", "Пётр Ёлкин"],
    ["山田", "山田太郎"],
  ])("finds by %s, whatever its accents and its case: %s", async (query, name) => {
    const { workspace, members } = await workspaceWith(1);
    await members[0]?.rest.put("/users/me", { name });
    const found = await shown(workspace.admin, workspace, `?query=${encodeURIComponent(query)}`);
    expect(found.map((item) => item.name)).toEqual([name]);
  });

  test.each(["%", "_", "%25", "\\", "*"])(
    "finds no member by %s, which is in no name",
    async (query) => {
      const { workspace } = await workspaceWith(1);
      expect(
        await shown(workspace.admin, workspace, `?query=${encodeURIComponent(query)}`),
      ).toEqual([]);
    },
  );
});
