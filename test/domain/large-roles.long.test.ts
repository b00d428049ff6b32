import { expect, test } from "vitest";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { useApp } from "../support/app.ts";
import { makeWorkspace, type Workspace } from "../support/make.ts";

const app = useApp({ isolated: true });

const write = (statement: Sql) =>
  app().db.transact(async (_, query) => {
    await query(sql`SET LOCAL statement_timeout = 0`);
    await query(statement);
  });

/** Adds members of the role `member`, and boards, faster than the API could. */
async function fill({ publicId }: Workspace, members: number, boards: number): Promise<void> {
  const email = sql`md5(n || ${publicId}) || '@example.com'`;
  const newId = sql`substr(md5(n || random()::text), 1, 12)`;
  await write(sql`WITH made AS (
      INSERT INTO users ("publicId", email, name)
      SELECT ${newId}, ${email}, 'Someone' FROM generate_series(1, ${members}::int) AS n
      RETURNING id, email)
    INSERT INTO members ("publicId", "workspaceId", "userId", email, status, "roleId")
    SELECT substr(md5(made.id || random()::text), 1, 12), w.id, made.id, made.email, 'active', r.id
    FROM made, workspaces w JOIN roles r ON r."workspaceId" = w.id AND r.name = 'member'
    WHERE w."publicId" = ${publicId}`);
  await write(sql`INSERT INTO boards ("publicId", "workspaceId", name, slug)
    SELECT ${newId}, w.id, 'Board', 'board-' || n
    FROM workspaces w, generate_series(1, ${boards}::int) AS n WHERE w."publicId" = ${publicId}`);
}

const change = ({ admin, publicId, roles }: Workspace, verb: "grant" | "revoke") =>
  admin.rest.post(`/workspaces/${publicId}/roles/${roles.member}/permissions/${verb}`, {
    permission: "card:view",
  });

test("a role of a thousand members on fifty boards changes, and all of them are named", async () => {
  const workspace = await makeWorkspace(app());
  await fill(workspace, 1_000, 50);
  expect((await change(workspace, "revoke")).status).toBe(200);
  const events = await app().db.reader.event.findMany({ where: { type: "access.lost" } });
  const named = events.flatMap(({ data }) => (data as Record<string, any>)["memberPublicIds"]);
  expect(named).toHaveLength(1_000 * 50);
  expect(new Set(named).size).toBe(1_000);
  expect((await change(workspace, "grant")).status).toBe(200);
});

test("a change of more members and boards is 409, and changes nothing", async () => {
  const workspace = await makeWorkspace(app());
  await fill(workspace, 2_000, 100);
  expect(await change(workspace, "revoke")).toMatchObject({
    status: 409,
    body: { issues: [{ code: "limit_exceeded", message: expect.stringContaining("2000") }] },
  });
  const { body } = await workspace.admin.rest.get(
    `/workspaces/${workspace.publicId}/roles/${workspace.roles.member}/permissions`,
  );
  expect(body.permissions).toContain("card:view");
});
