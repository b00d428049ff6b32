import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** The columns that name a member and stay, with why. */
const kept = new Map([
  ["views.ownerId", "private views, which nobody else sees, are there for a member who comes back"],
  ["invites.memberId", "an invitation is deactivated, and stays as what happened"],
  ["imported_people.memberId", "who a person of a source is; an import assigns no one with it"],
]);

type Column = { table: string; column: string };

/** Every column of the database that refers to a member. */
const columns = () =>
  app().db.read<Column>(sql`SELECT c.conrelid::regclass::text AS table, a.attname AS column
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'members'::regclass ORDER BY 1, 2`);

async function counts(memberPublicId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { table, column } of await columns()) {
    const [row] = await app().db.read<{ count: number }>(sql`SELECT count(*)::int AS count
      FROM ${sql.identifier(table)} WHERE ${sql.identifier(column)} =
        (SELECT id FROM members WHERE "publicId" = ${memberPublicId})`);
    found[`${table}.${column}`] = row?.count ?? 0;
  }
  const [watched] = await app().db.read<{ count: number }>(sql`SELECT count(*)::int AS count
    FROM card_watchers w JOIN members m ON m."userId" = w."userId"
    WHERE m."publicId" = ${memberPublicId}`);
  return { ...found, watched: watched?.count ?? 0 };
}

async function nameEverywhere() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const member = await join(app(), workspace, "member");
  const { memberPublicId } = member;
  const ok = async (reply: Promise<{ status: number; body: any }>) => {
    const { status, body } = await reply;
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  const board = await makeBoard(workspace);
  const at = `/boards/${board.publicId}`;
  await ok(rest.put(`${at}/members/${memberPublicId}`, {}));
  const field = await ok(rest.post(`${at}/fields`, { name: "Reviewer", type: "member" }));
  const card = await ok(rest.post("/cards", { title: "Named", listPublicId: board.lists[0] }));
  const path = `/cards/${card.publicId}`;
  const fields = { [field.publicId]: memberPublicId };
  await ok(rest.put(path, { memberPublicIds: [memberPublicId], fields }));
  const checklist = await ok(rest.post(`${path}/checklists`, { name: "Steps" }));
  for (const title of ["Live", "Deleted"]) {
    const checklistPublicId = checklist.publicId;
    const item = await ok(rest.post("/checklists/items", { checklistPublicId, title }));
    const itemPath = `/checklists/items/${item.publicId}`;
    await ok(rest.put(itemPath, { memberPublicId }));
    if (title === "Deleted") await ok(rest.delete(itemPath));
  }
  await ok(member.rest.post(`${path}/claim`, {}));
  await ok(member.rest.put(`${path}/watch`, { isWatching: true }));
  const permissions = `/workspaces/${workspace.publicId}/members/${memberPublicId}/permissions`;
  await ok(rest.post(`${permissions}/grant`, { permission: "board:edit" }));
  return { workspace, member, card: path, permissions, field: field.publicId as string };
}

const ending = {
  "member.remove": ({ workspace, member }) =>
    workspace.admin.rest.delete(
      `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`,
    ),
  "member.leave": ({ workspace, member }) =>
    member.rest.post(`/workspaces/${workspace.publicId}/members/leave`, {}),
  "user.delete": ({ member }) =>
    member.rest.delete("/users/me", { password: "a password for tests" }),
} satisfies Record<
  string,
  (scene: Awaited<ReturnType<typeof nameEverywhere>>) => Promise<{ status: number }>
>;

test.each(Object.entries(ending))("%s ends whatever names the member", async (_, end) => {
  const scene = await nameEverywhere();
  const { memberPublicId } = scene.member;
  const before = Object.entries(await counts(memberPublicId));
  // A new column is to be named here too.
  expect(before.filter(([name, count]) => count === 0 && !kept.has(name))).toEqual([]);
  expect(await end(scene)).toMatchObject({ status: 200 });
  const after = Object.entries(await counts(memberPublicId));
  expect(after.filter(([name, count]) => count > 0 && !kept.has(name))).toEqual([]);
  const { body } = await scene.workspace.admin.rest.get(scene.card);
  expect(body).toMatchObject({ members: [], claim: null, fields: {} });
  expect(body.checklists[0].items).toMatchObject([{ title: "Live", memberPublicId: null }]);
});

test("a member who comes back is named by nothing, and neither are copies of the card", async () => {
  const scene = await nameEverywhere();
  const { workspace, member, card } = scene;
  const { rest } = workspace.admin;
  await ending["member.remove"](scene);
  const copy = await rest.post(`${card}/duplicate`, { withMembers: true });
  expect(copy).toMatchObject({ status: 200 });
  const { body: link } = await rest.post(`/workspaces/${workspace.publicId}/invites`, {
    role: "member",
  });
  const joined = await member.rest.post("/invites/accept", { inviteCode: link.inviteCode });
  expect(joined).toMatchObject({ status: 200, body: { memberPublicId: member.memberPublicId } });
  for (const path of [card, `/cards/${copy.body.publicId}`]) {
    const { body } = await rest.get(path);
    expect(body).toMatchObject({ members: [], claim: null, fields: {} });
    expect(body.checklists[0].items).toMatchObject([{ memberPublicId: null }]);
  }
  expect((await rest.get(scene.permissions)).body.overrides).toEqual([]);
});
